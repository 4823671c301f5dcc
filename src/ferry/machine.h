// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "placement/machine.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// What `--machine` names: a shipped profile, or a file with one. `error` says what is wrong.
std::optional<placement::Machine> readMachine(const std::string &name, std::string &error);

/// What `--assume` says, "N=4000" each, in that order; none twice with other values. `error` says which is wrong.
std::optional<std::vector<std::pair<std::string, std::int64_t>>> readAssumptions(const std::vector<std::string> &texts,
                                                                                 std::string &error);

/// What `--pin` says, "A=device" each, in that order; none twice with other values. `error` says which is wrong.
std::optional<std::vector<std::pair<std::string, placement::Side>>> readPins(const std::vector<std::string> &texts,
                                                                             std::string &error);

} // namespace ferry
