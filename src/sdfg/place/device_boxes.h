// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/extract.h"

/// \file
/// Arrays of which the device never needs more than a box: what is copied to it is that box, wherever the copy is made.
namespace ferry::sdfg {

/// Sets `deviceBoxes` and the prices of these arrays' copies. An array is one of them if no operation that may be on
/// the device writes it, and what such operations read of it is in boxes that name no symbols that change. Errors:
/// prices out of range.
placement::Result<void> narrowCopies(Extracted &extracted, const placement::Machine &machine);

} // namespace ferry::sdfg
