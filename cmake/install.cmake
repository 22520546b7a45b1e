# cmake --install: four components, which are also the four Debian packages (cmake/package.cmake).
#   library      libmanyone.so.0
#   development  headers, find_package(manyone), pkg-config
#   tool         the command line tool with man pages, completions and the bundled tables
#   studies      manyone-reproduce, which sets published tables beside ours
include(CMakePackageConfigHelpers)
set(libraries ${CMAKE_INSTALL_LIBDIR})

install(TARGETS manyone_shared EXPORT manyone-targets
        LIBRARY DESTINATION ${libraries} COMPONENT library NAMELINK_COMPONENT development)

install(DIRECTORY include/manyone DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT manyone-targets NAMESPACE manyone:: DESTINATION ${libraries}/cmake/manyone COMPONENT development)
configure_package_config_file(cmake/manyone-config.cmake.in ${PROJECT_BINARY_DIR}/manyone-config.cmake
                              INSTALL_DESTINATION ${libraries}/cmake/manyone)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/manyone-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/manyone-config.cmake ${PROJECT_BINARY_DIR}/manyone-config-version.cmake
        DESTINATION ${libraries}/cmake/manyone COMPONENT development)
# The prefix is found from where the file is, so that an installation may be moved.
file(RELATIVE_PATH MANYONE_PREFIX_FROM_PC /prefix/${libraries}/pkgconfig /prefix)
configure_file(cmake/manyone.pc.in ${PROJECT_BINARY_DIR}/manyone.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/manyone.pc DESTINATION ${libraries}/pkgconfig COMPONENT development)

install(TARGETS manyone_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
install(TARGETS manyone_reproduce RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT studies)
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/manyone COMPONENT tool FILES_MATCHING PATTERN "*.csv")
set(manual ${PROJECT_BINARY_DIR}/manual)
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tool PATTERN "manyone-reproduce*" EXCLUDE)
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT studies FILES_MATCHING PATTERN "manyone-reproduce*")
install(FILES ${manual}/manyone DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
# zsh looks in site-functions of /usr/local; what is in /usr belongs to Debian, which has another folder for packages.
install(CODE "set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\" AND EXISTS /etc/debian_version)
    set(folder vendor-completions)
  endif()
  file(INSTALL \"${manual}/_manyone\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\")"
  COMPONENT tool)
