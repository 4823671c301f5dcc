// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <string>
#include <vector>

/// \file
/// Where the containers of a placed graph are, whoever placed it.
namespace ferry::sdfg {

struct ContainerPlace {
  std::string name;
  std::string place; ///< "host", "device", "host and device": with a twin there, or "kernel".
};

/// Of the containers of an SDFG, without those of nested ones, in the file's order. Twins are not listed themselves.
std::vector<ContainerPlace> placesOf(const Sdfg &sdfg);

/// The container that one is the twin of, itself if it is none. Ferry and DaCe call the twin of NAME gpu_NAME, that of
/// `__return` gpu_return, with a number behind it where that is taken; it is a transient like it on the device.
std::string originOf(const Sdfg &sdfg, const std::string &container);

} // namespace ferry::sdfg
