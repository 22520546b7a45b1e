# An OpenBLAS of our own (docs/decisions/threads.md): what we call of the archive, as one object. The names we call get
# "manyone_" before them and all others are local, so that a program that links another OpenBLAS keeps it. What it asks of
# the environment it asks us (src/backend/cpu/own_openblas.cpp).
#   MANYONE_BLAS_OBJECT   the object, empty where there is none
#   MANYONE_BLAS_RENAMED  definitions for the code that calls it
option(MANYONE_STATIC_BLAS "Have an OpenBLAS of our own inside the library; the tool has fmt and the C++ library inside, too" ON)
set(MANYONE_BLAS_OBJECT "")
set(MANYONE_BLAS_RENAMED "")
set(routines cblas_dgemm cblas_dtrmm cblas_dtrsm cblas_dsyrk dpotrf_ dtrtri_ dlauum_ dsyevd_
             cblas_sgemm cblas_strmm cblas_strsm cblas_ssyrk spotrf_ strtri_ slauum_ openblas_get_corename
             blas_memory_alloc blas_memory_free)
set(if_there gotoblas_dynamic_init gotoblas_dynamic_quit)  # in an OpenBLAS for many processors
set(answered getenv _gfortran_concat_string)               # by us

set(missing "")  # why there is none
if(NOT MANYONE_STATIC_BLAS)
  set(missing "MANYONE_STATIC_BLAS is OFF")
elseif(NOT OpenBLAS_ARCHIVE OR NOT CMAKE_OBJCOPY OR NOT CMAKE_NM)
  set(missing "libopenblas.a, objcopy or nm was not found")
else()
  set(folder ${PROJECT_BINARY_DIR}/openblas)
  set(object ${folder}/own_openblas.o)
  if(NOT EXISTS ${object} OR ${OpenBLAS_ARCHIVE} IS_NEWER_THAN ${object} OR ${CMAKE_CURRENT_LIST_FILE} IS_NEWER_THAN ${object})
    file(MAKE_DIRECTORY ${folder})
    set(names ${routines} ${if_there})
    list(TRANSFORM names PREPEND -Wl,-u, OUTPUT_VARIABLE wanted)
    set(renaming ${names} ${answered})
    list(TRANSFORM renaming REPLACE "^(_?)(.+)" "\\1\\2 manyone_\\2\n")
    string(JOIN "" renaming ${renaming})
    file(WRITE ${folder}/names "${renaming}")
    list(TRANSFORM if_there PREPEND --weaken-symbol=manyone_ OUTPUT_VARIABLE weak)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib ${wanted} ${OpenBLAS_ARCHIVE} -o ${folder}/all_names.o
                    COMMAND_ERROR_IS_FATAL ANY)
    # One after the other: llvm-objcopy, which clang comes with, would look for the new names before there are any.
    execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${folder}/names ${folder}/all_names.o ${folder}/renamed.o
                    COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=manyone_* ${weak} ${folder}/renamed.o ${object}
                    COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE ${folder}/all_names.o ${folder}/renamed.o)
  endif()
  # An archive without LAPACK, or one that needs more than the C library.
  execute_process(COMMAND ${CMAKE_NM} -u ${object} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE " U manyone_(getenv|gfortran_concat_string)\n" "\n" needed "${needed}")
  if(needed MATCHES " U ((manyone|_gfortran|_Fortran|omp|GOMP|__kmpc)_[A-Za-z_]+)")
    set(missing "${OpenBLAS_ARCHIVE} leaves ${CMAKE_MATCH_1} to others")
  else()
    set(MANYONE_BLAS_OBJECT ${object})
    foreach(name IN LISTS routines)
      list(APPEND MANYONE_BLAS_RENAMED ${name}=manyone_${name})
    endforeach()
  endif()
endif()
if(missing)
  message(WARNING "No OpenBLAS of our own: ${missing}. The library calls the program's OpenBLAS as it is: results may depend on "
                  "its number of threads, and its kernels may be old. There is no Python package.")
endif()
