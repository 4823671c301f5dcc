# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(ferry): the target ferry::placement, which needs nothing but a C++20 compiler.
include("${CMAKE_CURRENT_LIST_DIR}/ferryTargets.cmake")
