# Writes the bundled report page as a C++ source: cmake -DPAGE= -DOUT= -P embed_page.cmake
file(READ ${PAGE} page)

# Literals have a limit of 64 kB; the delimiter is not in the page.
set(text "// Written by cmake/embed_page.cmake.\nnamespace manyone {\nextern const char* const kPageChunks[];\nconst char* const kPageChunks[] = {\n")
string(LENGTH "${page}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 12000 chunk)
  string(APPEND text "R\"mAnYoNe(${chunk})mAnYoNe\",\n")
  math(EXPR at "${at} + 12000")
endwhile()
string(APPEND text "nullptr};\n}  // namespace manyone\n")
file(WRITE ${OUT} "${text}")
