# cmake --install: the tool, the library, its headers and what find_package(manyone) needs.
include(CMakePackageConfigHelpers)
install(TARGETS manyone EXPORT manyone-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS manyone_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/manyone DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
        PATTERN "cpu" EXCLUDE PATTERN "reference" EXCLUDE)
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/manyone FILES_MATCHING PATTERN "*.csv")
install(EXPORT manyone-targets NAMESPACE manyone:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/manyone)
configure_package_config_file(cmake/manyone-config.cmake.in ${PROJECT_BINARY_DIR}/manyone-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/manyone)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/manyone-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/manyone-config.cmake ${PROJECT_BINARY_DIR}/manyone-config-version.cmake
              cmake/FindOpenBLAS.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/manyone)
