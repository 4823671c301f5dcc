# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How a room of test/, test/fuzz/ or bench/ declares what it builds.

# ferry_test(NAME [MLIR] SOURCES a_test.cpp... [LIBRARIES targets...]): one GoogleTest program, one ctest entry.
# A file that holds tests is named *_test.cpp. With MLIR it is built only where the compiler is. TIMEOUT is in seconds.
function(ferry_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MLIR" "TIMEOUT" "SOURCES;LIBRARIES")
  if(arg_MLIR AND NOT FERRY_COMPILER)
    return()
  endif()
  find_package(GTest REQUIRED CONFIG)
  add_executable(${name} ${arg_SOURCES})
  ferry_options(${name})
  if(arg_MLIR)
    ferry_use_mlir(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/bin")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 "--gtest_output=json:${PROJECT_BINARY_DIR}/test/results/${name}.json"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS gtest TIMEOUT ${arg_TIMEOUT})
endfunction()

# ferry_fuzz(NAME SOURCES a.cpp... [LIBRARIES targets...]): a libFuzzer target that `./dev fuzz` builds and runs.
# Its seeds, if any, are the files of the folder NAME beside it.
function(ferry_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  ferry_options(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
endfunction()

# ferry_bench(NAME [MLIR] SOURCES a.cpp... [LIBRARIES targets...]): a program that `./dev bench` runs and whose lines
# of JSON it collects; bench/bars.py says what such a line holds.
function(ferry_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MLIR" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  ferry_options(${name})
  if(arg_MLIR)
    ferry_use_mlir(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
endfunction()
