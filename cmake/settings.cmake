# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Without these words it does not cache what uses precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                  ${CCACHE_PROGRAM})
endif()

add_library(taut_settings INTERFACE)
# In a batch of a unity build names of one source shadow those of another.
target_compile_options(taut_settings INTERFACE -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wshadow>)
# GCC 12 takes harmless joins of std::string for overlapping copies (its bug 105651) and warns of its own
# AVX-512 header (105593).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(taut_settings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(TAUT_NATIVE)
  target_compile_options(taut_settings INTERFACE -march=native)
endif()
if(TAUT_SANITIZE)
  # Null pointers stop under the first sanitizer as well; checks of each pointer's alignment and type double
  # the code.
  target_compile_options(taut_settings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                 -fno-sanitize=null,alignment,vptr,object-size
                                                 -fno-omit-frame-pointer)
  target_link_options(taut_settings INTERFACE -fsanitize=address,undefined)
endif()
