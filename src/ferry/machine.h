// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef FERRY_FERRY_MACHINE_H
#define FERRY_FERRY_MACHINE_H

#include "placement/machine.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// What `--machine` names: a shipped profile, or a file with one. `error` says what is wrong.
std::optional<placement::Machine> readMachine(const std::string &name, std::string &error);

/// "N=4000".
std::optional<std::pair<std::string, std::int64_t>> parseAssumption(const std::string &text);

/// "A=device".
std::optional<std::pair<std::string, placement::Side>> parseSidePin(const std::string &text);

} // namespace ferry

#endif
