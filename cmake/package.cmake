# cpack: one Debian package for each component of cmake/install.cmake; `./dev package` runs it. What a package depends
# on is computed from its binaries by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME manyone)
set(CPACK_PACKAGE_VENDOR "Manyone developers")
set(MANYONE_MAINTAINER "Manyone developers <manyone@localhost>" CACHE STRING "Who answers for the Debian packages")
set(CPACK_PACKAGE_CONTACT "${MANYONE_MAINTAINER}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL library development tool studies)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

# The first line of a component's description is the package's title.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(about "Trains, tunes and compares kernel classifiers for many classes:
least-squares machines that cost as much as a single binary classifier,
and support vector machines.")
set(library_name libmanyone${MANYONE_ABI})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library_name})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "multiclass kernel classification, shared library\n${about}")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmanyone-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libeigen3-dev (>= 3.4)")  # <manyone/eigen.hpp>
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "multiclass kernel classification, headers for C++\n${about}")

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME manyone)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS nodejs)
set(CPACK_COMPONENT_TOOL_DESCRIPTION "multiclass kernel classification, command line tool\n${about}")

set(CPACK_DEBIAN_STUDIES_PACKAGE_NAME manyone-studies)
set(CPACK_DEBIAN_STUDIES_PACKAGE_SECTION science)
set(CPACK_DEBIAN_STUDIES_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_STUDIES_PACKAGE_SUGGESTS nodejs)
set(CPACK_COMPONENT_STUDIES_DEPENDS tool)
set(CPACK_COMPONENT_STUDIES_DESCRIPTION "multiclass kernel classification, published tables run again\n${about}")

# Every package says who wrote it and what is inside, and what changed.
foreach(part "library ${library_name}" "development libmanyone-dev" "tool manyone" "studies manyone-studies")
  separate_arguments(part)
  list(GET part 0 component)
  list(GET part 1 package)
  install(FILES packaging/copyright packaging/NOTICES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
include(CPack)
