# The report page (page/) travels inside the library. It is bundled by npm and node at build time; where
# these are missing, or the packages cannot be fetched, the library has no page and says so when one is asked for.
option(MANYONE_REPORT "Bundle the report page (needs npm)" ${PROJECT_IS_TOP_LEVEL})
if(MANYONE_REPORT)
  find_program(MANYONE_NPM npm)
  find_program(MANYONE_NODE NAMES node nodejs)
  mark_as_advanced(MANYONE_NPM MANYONE_NODE)
endif()

set(page_text ${CMAKE_CURRENT_BINARY_DIR}/page_text.cpp)
set(page_folder ${PROJECT_SOURCE_DIR}/page)
file(GLOB page_sources CONFIGURE_DEPENDS ${page_folder}/src/* ${page_folder}/build.mjs ${page_folder}/*.json ${page_folder}/.npmrc)
if(MANYONE_REPORT AND NOT (MANYONE_NPM AND MANYONE_NODE))
  message(STATUS "npm or node not found: manyone report is off")
endif()
add_custom_command(OUTPUT ${page_text} DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/cmake/bundle_page.cmake
  COMMAND ${CMAKE_COMMAND} -DBUNDLE=${MANYONE_REPORT} -DNPM=${MANYONE_NPM} -DNODE=${MANYONE_NODE} -DPAGE=${page_folder}
          -DWORK=${CMAKE_CURRENT_BINARY_DIR}/page -DOUT=${page_text} -P ${PROJECT_SOURCE_DIR}/cmake/bundle_page.cmake
  COMMENT "Bundling the report page" VERBATIM)
target_sources(manyone_report PRIVATE ${page_text})
set_source_files_properties(${page_text} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
