# Compiler flags of every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(manyone_flags INTERFACE)
target_compile_options(manyone_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wno-restrict -Wnon-virtual-dtor)
# Eigen asserts on shapes; they stay on in debug builds.
if(MANYONE_SANITIZE)
  target_compile_options(manyone_flags INTERFACE -fsanitize=${MANYONE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -O1 -g1)
  target_link_options(manyone_flags INTERFACE -fsanitize=${MANYONE_SANITIZE})
endif()
if(MANYONE_FUZZ)  # counters that tell libFuzzer which inputs reach something new
  target_compile_options(manyone_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(manyone_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(MANYONE_COVERAGE)
  target_compile_options(manyone_flags INTERFACE --coverage -fprofile-update=atomic)  # threads count, too
  target_link_options(manyone_flags INTERFACE --coverage)
endif()
