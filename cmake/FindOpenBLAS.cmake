# OpenBLAS with its C interface: target OpenBLAS::OpenBLAS, the library, and OpenBLAS_ARCHIVE, if there is one. Debian
# keeps several builds side by side; of the one with threads of its own the archive can do without them
# (cmake/own_openblas.cmake).
find_path(OpenBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas-pthread openblas)
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread)
find_library(OpenBLAS_ARCHIVE libopenblas.a PATH_SUFFIXES openblas-pthread)
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY OpenBLAS_ARCHIVE)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS INTERFACE IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES INTERFACE_LINK_LIBRARIES "${OpenBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
endif()
