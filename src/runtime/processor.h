// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What processors can do beyond the least of their architecture, by LLVM's names ("avx2"), as far as a program can ask
// the one that it runs on. Code that is carried to other machines uses nothing else.

#pragma once

#include <string>
#include <vector>

namespace ferry::runtime {

/// The processor of this architecture that can do the least, by LLVM's name.
extern const char *const leastProcessor;

/// All there are of this architecture.
std::vector<std::string> knownFeatures();

/// Those that this processor has, and its system lets programs use.
std::vector<std::string> processorFeatures();

} // namespace ferry::runtime
