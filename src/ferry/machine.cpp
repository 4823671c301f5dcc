// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/machine.h"

#include "ferry/files.h"
#include "report/problem_file.h"

#include <algorithm>
#include <charconv>

namespace ferry {

std::optional<placement::Machine> readMachine(const std::string &name, std::string &error) {
  if (auto machine = placement::machineByName(name))
    return machine;
  if (!name.ends_with(".json")) {
    error =
        "--machine: there is no profile '" + name + "'; `ferry devices` lists them, and a file's name ends in .json";
    return std::nullopt;
  }
  auto text = readFile(name, error);
  if (!text)
    return std::nullopt;
  auto machine = report::readMachine(*text);
  if (machine)
    return *machine;
  error = name + ": " + machine.error().message;
  return std::nullopt;
}

static std::optional<std::pair<std::string, std::int64_t>> parseAssumption(const std::string &text) {
  std::size_t sign = text.find('=');
  std::int64_t value = 0;
  if (sign == 0 || sign == std::string::npos)
    return std::nullopt;
  auto [end, problem] = std::from_chars(text.data() + sign + 1, text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return std::pair(text.substr(0, sign), value);
}

static std::optional<std::pair<std::string, placement::Side>> parseSidePin(const std::string &text) {
  std::size_t sign = text.rfind('=');
  if (sign == 0 || sign == std::string::npos)
    return std::nullopt;
  std::string side = text.substr(sign + 1);
  if (side != "host" && side != "device")
    return std::nullopt;
  return std::pair(text.substr(0, sign), side == "host" ? placement::Side::Host : placement::Side::Device);
}

/// Each value of an option that may be repeated; absent, with an error, if one does not have its form.
template <typename Parsed>
static std::optional<std::vector<Parsed>> readEach(const std::vector<std::string> &texts,
                                                   std::optional<Parsed> (*parse)(const std::string &),
                                                   const char *option, const char *form, std::string &error) {
  std::vector<Parsed> all;
  for (const std::string &text : texts) {
    std::optional<Parsed> parsed = parse(text);
    if (!parsed) {
      error = std::string(option) + ": '" + text + "' is not " + form;
      return std::nullopt;
    }
    auto isOther = [&](const Parsed &other) { return other.first == parsed->first && other.second != parsed->second; };
    if (std::any_of(all.begin(), all.end(), isOther)) {
      error = std::string(option) + ": '" + parsed->first + "' is given two values, the second by '" + text + "'";
      return std::nullopt;
    }
    all.push_back(std::move(*parsed));
  }
  return all;
}

std::optional<std::vector<std::pair<std::string, std::int64_t>>> readAssumptions(const std::vector<std::string> &texts,
                                                                                 std::string &error) {
  return readEach(texts, parseAssumption, "--assume", "NAME=NUMBER", error);
}

std::optional<std::vector<std::pair<std::string, placement::Side>>> readPins(const std::vector<std::string> &texts,
                                                                             std::string &error) {
  return readEach(texts, parseSidePin, "--pin", "NAME=host or NAME=device", error);
}

} // namespace ferry
