# Bundles the report page and writes it as a C++ source: cmake -DNPM= -DNODE= -DPAGE= -DWORK= -DOUT= -P bundle_page.cmake
# Without npm, or when it fails, the source says that there is no page.
set(page "")
if(BUNDLE AND NPM AND NODE)
  file(MAKE_DIRECTORY ${WORK})
  file(COPY ${PAGE}/ DESTINATION ${WORK} PATTERN node_modules EXCLUDE PATTERN tests EXCLUDE)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${WORK}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 300)
  if(NOT failed)
    execute_process(COMMAND ${NODE} build.mjs ${WORK}/page.html WORKING_DIRECTORY ${WORK}
                    RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      message(FATAL_ERROR "the report page cannot be bundled:\n${said}")
    endif()
    file(READ ${WORK}/page.html page)
  else()
    message("manyone report is off: npm cannot fetch what the page needs\n${said}")
  endif()
endif()

# Literals have a limit of 64 kB; the delimiter is not in the page.
set(text "// Written by cmake/bundle_page.cmake.\nnamespace manyone {\nextern const char* const kPageChunks[];\nconst char* const kPageChunks[] = {\n")
string(LENGTH "${page}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 12000 chunk)
  string(APPEND text "R\"mAnYoNe(${chunk})mAnYoNe\",\n")
  math(EXPR at "${at} + 12000")
endwhile()
string(APPEND text "nullptr};\n}  // namespace manyone\n")
file(WRITE ${OUT} "${text}")
