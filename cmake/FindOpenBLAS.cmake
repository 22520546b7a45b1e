# OpenBLAS with its C interface: target OpenBLAS::OpenBLAS. Debian keeps several builds side by side; the pthread one is
# preferred because we switch its threads off and call it from our own pool.
find_path(OpenBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas-pthread openblas)
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread)
# The archive and the Fortran run-time it needs: linked by targets with the property OPENBLAS_ARCHIVE, the library by all
# others. The archives of the run-time are for programs only; modules link its library.
find_library(OpenBLAS_ARCHIVE libopenblas.a PATH_SUFFIXES openblas-pthread)
find_library(OpenBLAS_FORTRAN NAMES libgfortran.a libgfortran.so.5 PATHS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
find_library(OpenBLAS_QUADMATH NAMES libquadmath.a libquadmath.so.0 PATHS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
find_library(OpenBLAS_FORTRAN_LIBRARY NAMES libgfortran.so.5 PATHS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
mark_as_advanced(OpenBLAS_FORTRAN_LIBRARY OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY OpenBLAS_ARCHIVE OpenBLAS_FORTRAN OpenBLAS_QUADMATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  set(libraries "${OpenBLAS_LIBRARY}")
  if(OpenBLAS_ARCHIVE AND OpenBLAS_FORTRAN AND OpenBLAS_QUADMATH AND OpenBLAS_FORTRAN_LIBRARY)
    set(archive $<BOOL:$<TARGET_PROPERTY:OPENBLAS_ARCHIVE>>)
    set(libraries "$<$<NOT:${archive}>:${OpenBLAS_LIBRARY}>")
    set(program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
    list(APPEND libraries "$<${archive}:${OpenBLAS_ARCHIVE}>" "$<$<AND:${archive},${program}>:${OpenBLAS_FORTRAN}>"
         "$<$<AND:${archive},${program}>:${OpenBLAS_QUADMATH}>"
         "$<$<AND:${archive},$<NOT:${program}>>:${OpenBLAS_FORTRAN_LIBRARY}>")
  endif()
  add_library(OpenBLAS::OpenBLAS INTERFACE IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
endif()
