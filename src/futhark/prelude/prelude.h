// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prelude's source files, embedded in the program.
#pragma once

#include <string>
#include <vector>

namespace ferry::futhark::prelude {

struct File {
  std::string name; ///< As it appears in messages.
  std::string text;
};

/// In the order in which they are read. The number modules come from one template for integers and one for floats.
const std::vector<File> &files();

} // namespace ferry::futhark::prelude
