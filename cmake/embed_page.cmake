# Writes a bundle of the report page as a C++ source: cmake -DFILE= -DNAME= -DOUT= -P embed_page.cmake
file(READ ${FILE} bundle)

# Literals have a limit of 64 kB; the delimiter is not in the bundle.
set(text "// Written by cmake/embed_page.cmake.\nnamespace manyone {\nextern const char* const ${NAME}[];\nconst char* const ${NAME}[] = {\n")
string(LENGTH "${bundle}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${bundle}" ${at} 12000 chunk)
  string(APPEND text "R\"mAnYoNe(${chunk})mAnYoNe\",\n")
  math(EXPR at "${at} + 12000")
endwhile()
string(APPEND text "nullptr};\n}  // namespace manyone\n")
file(WRITE ${OUT} "${text}")
