# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What every target of Ferry shares: warnings as errors, sanitizers, a precompiled header for the rooms that use MLIR.

# Warnings are errors where Ferry is developed; those of a user's compiler, of whatever version, are not.
option(FERRY_WERROR "Warnings are errors" ON)
set(FERRY_WARNINGS -Wall -Wextra)
if(FERRY_WERROR)
  list(APPEND FERRY_WARNINGS -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND FERRY_WARNINGS -Wno-restrict) # GCC 12 warns of its own std::string
endif()

# ccache is told its settings here, so that a bare `ninja` hits the same entries as `./dev build`: paths below the
# source folder count as relative (another clone hits too), and a precompiled header is compared by the sum beside it.
find_program(FERRY_CCACHE ccache)
if(FERRY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
    CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros "${FERRY_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
find_program(FERRY_LLD NAMES ld.lld-22 lld-22)
if(FERRY_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
endif()

# Options of every target written here; code of other projects is included as a system header.
function(ferry_options target)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>" "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/src>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/ferry>")
  target_compile_options(${target} PRIVATE ${FERRY_WARNINGS})
  if(FERRY_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${FERRY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${FERRY_SANITIZE})
  endif()
  if(FERRY_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# ferry_library(name sources...): a library of one room.
function(ferry_library name)
  add_library(${name} STATIC ${ARGN})
  ferry_options(${name})
endfunction()

# What a target that includes MLIR's headers needs. MLIR and LLVM are linked as their shared libraries.
function(ferry_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_options(${target} PRIVATE -Wno-unused-parameter) # signatures that mlir-tblgen writes
  target_link_libraries(${target} PUBLIC MLIR LLVM)
  get_target_property(type ${target} TYPE)
  if(TARGET ferry_mlir_pch AND NOT type STREQUAL "EXECUTABLE") # an executable is compiled as PIE
    target_precompile_headers(${target} REUSE_FROM ferry_mlir_pch)
  endif()
endfunction()
