// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/machine_file.h"

#include "report/problem_file.h"

#include <algorithm>
#include <vector>

namespace ferry::report {

using namespace placement;

Object::Object(const Json &json, std::string name) : json(json), title(std::move(name)) {
  if (!json.is_object())
    fail("not an object");
}

const Json *Object::find(const char *member) {
  known.insert(member);
  auto at = json.find(member);
  return at == json.end() ? nullptr : &*at;
}

std::string Object::stringOf(const Json &value, const char *member) const {
  if (!value.is_string())
    fail(std::string("'") + member + "' is not a string");
  return value.get<std::string>();
}

std::int64_t Object::integerOf(const Json &value, const char *member) const {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
    fail(std::string("'") + member + "' is out of range");
  if (!value.is_number_integer())
    fail(std::string("'") + member + "' is not a whole number");
  return value.get<std::int64_t>();
}

std::string Object::string(const char *member) {
  const Json *value = find(member);
  if (!value)
    fail(std::string("no '") + member + "'");
  return stringOf(*value, member);
}

bool Object::boolean(const char *member) {
  const Json *value = find(member);
  if (value && !value->is_boolean())
    fail(std::string("'") + member + "' is neither true nor false");
  return value && value->get<bool>();
}

std::int64_t Object::integer(const char *member, std::int64_t otherwise) {
  const Json *value = find(member);
  return value ? integerOf(*value, member) : otherwise;
}

std::optional<Time> Object::time(const char *member) {
  const Json *value = find(member);
  return value ? std::optional(integerOf(*value, member)) : std::nullopt;
}

/// Removes digits from the front; whether there were any.
static bool takeDigits(std::string_view &text) {
  std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count > 0;
}

static bool isDecimal(std::string_view text) {
  if (text.starts_with('-'))
    text.remove_prefix(1);
  bool any = takeDigits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    any = takeDigits(text) || any;
  }
  if (any && (text.starts_with('e') || text.starts_with('E'))) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-'))
      text.remove_prefix(1);
    any = takeDigits(text);
  }
  return any && text.empty();
}

/// Whether it is a number or fraction, in or out of range.
static bool isFraction(std::string_view text) {
  std::size_t slash = text.find('/');
  return isDecimal(text.substr(0, slash)) && (slash == text.npos || isDecimal(text.substr(slash + 1)));
}

Rational Object::rational(const char *member, const Rational &otherwise) {
  const Json *value = find(member);
  if (!value)
    return otherwise;
  if (value->is_number_integer())
    return Rational(integerOf(*value, member));
  std::optional<Rational> number;
  bool isSpelledRight = value->is_number();
  if (value->is_number()) {
    number = Rational::fromDouble(value->get<double>());
  } else if (value->is_string()) {
    std::string text = value->get<std::string>();
    number = Rational::parse(text);
    isSpelledRight = isFraction(text);
  }
  if (!number)
    fail(std::string("'") + member + (isSpelledRight ? "' is out of range" : "' is no number or fraction"));
  return *number;
}

std::optional<Side> Object::side(const char *member) {
  const Json *value = find(member);
  if (!value)
    return std::nullopt;
  std::string text = stringOf(*value, member);
  if (text != "host" && text != "device")
    fail(std::string("'") + member + "' is neither host nor device");
  return text == "host" ? Side::Host : Side::Device;
}

void Object::done() const {
  for (const auto &[member, value] : json.items())
    if (known.count(member) == 0)
      fail("unknown member '" + member + "'");
}

namespace {

void notNegative(const Object &object, Wide value, const char *member) {
  if (value < 0)
    object.fail(std::string("'") + member + "' is negative");
}

Link linkFromJson(const Json &json, Link link, const std::string &name) {
  Object object(json, name);
  link.latency = object.integer("latency", link.latency);
  link.perByte = object.rational("per_byte", link.perByte);
  object.done();
  notNegative(object, link.latency, "latency");
  notNegative(object, link.perByte.numerator(), "per_byte");
  return link;
}

Json linkToJson(const Link &link) { return {{"latency", link.latency}, {"per_byte", toJson(link.perByte)}}; }

Roofline rooflineFromJson(const Json &json, Roofline roof, const std::string &name) {
  Object object(json, name);
  for (auto [member, value] : {std::pair("per_byte", &roof.perByte), std::pair("per_operation", &roof.perOperation),
                               std::pair("per_sequential_operation", &roof.perSequentialOp),
                               std::pair("per_sequential_byte", &roof.perSequentialByte)}) {
    *value = object.rational(member, *value);
    notNegative(object, value->numerator(), member);
  }
  object.done();
  return roof;
}

Json rooflineToJson(const Roofline &roof) {
  return {{"per_byte", toJson(roof.perByte)},
          {"per_operation", toJson(roof.perOperation)},
          {"per_sequential_operation", toJson(roof.perSequentialOp)},
          {"per_sequential_byte", toJson(roof.perSequentialByte)}};
}

Machine shipped(const std::string &name) {
  if (std::optional<Machine> machine = machineByName(name))
    return *machine;
  std::string known;
  for (const std::string &each : machineNames())
    known += (known.empty() ? "" : ", ") + each;
  throw FileError("machine: no profile '" + name + "'; there are " + known);
}

} // namespace

Machine machineFromJson(const Json &json) {
  if (json.is_string())
    return shipped(json.get<std::string>());
  Object object(json, "machine");
  Machine machine;
  if (object.find("profile"))
    machine = shipped(object.string("profile"));
  if (object.find("name"))
    machine.name = object.string("name");
  for (auto [member, value] :
       {std::pair("peek", &machine.peek), std::pair("poke", &machine.poke), std::pair("launch", &machine.launch),
        std::pair("exit", &machine.exit), std::pair("synchronize", &machine.synchronize),
        std::pair("argument", &machine.argument), std::pair("grid_barrier", &machine.gridBarrier),
        std::pair("grid_barrier_setup", &machine.gridBarrierSetup),
        std::pair("device_memory", &machine.deviceMemory)}) {
    *value = object.integer(member, *value);
    notNegative(object, *value, member);
  }
  if (object.find("shared_memory"))
    machine.sharedMemory = object.boolean("shared_memory");
  if (const Json *link = object.find("h2d"))
    machine.h2d = linkFromJson(*link, machine.h2d, "machine: h2d");
  if (const Json *link = object.find("d2h"))
    machine.d2h = linkFromJson(*link, machine.d2h, "machine: d2h");
  if (const Json *roof = object.find("host"))
    machine.host = rooflineFromJson(*roof, machine.host, "machine: host");
  if (const Json *roof = object.find("device"))
    machine.device = rooflineFromJson(*roof, machine.device, "machine: device");
  object.done();
  return machine;
}

Json machineToJson(const Machine &machine) {
  return {{"name", machine.name},
          {"h2d", linkToJson(machine.h2d)},
          {"d2h", linkToJson(machine.d2h)},
          {"peek", machine.peek},
          {"poke", machine.poke},
          {"launch", machine.launch},
          {"exit", machine.exit},
          {"synchronize", machine.synchronize},
          {"argument", machine.argument},
          {"grid_barrier", machine.gridBarrier},
          {"grid_barrier_setup", machine.gridBarrierSetup},
          {"host", rooflineToJson(machine.host)},
          {"device", rooflineToJson(machine.device)},
          {"device_memory", machine.deviceMemory},
          {"shared_memory", machine.sharedMemory}};
}

Json parseJson(std::string_view text) {
  std::vector<std::set<std::string>> members; // of the objects that are open
  return Json::parse(text, [&](int, Json::parse_event_t event, const Json &parsed) {
    if (event == Json::parse_event_t::object_start)
      members.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      members.pop_back();
    else if (event == Json::parse_event_t::key && !members.back().insert(parsed.get<std::string>()).second)
      throw FileError("the member '" + parsed.get<std::string>() + "' is there twice in one object");
    return true;
  });
}

static std::string unexpected(std::string_view text, std::size_t at) {
  if (at >= text.size())
    return "it ends early";
  auto byte = static_cast<unsigned char>(text[at]);
  if (byte > 0x20 && byte < 0x7f)
    return std::string("unexpected '") + text[at] + "'";
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("unexpected byte 0x") + digits[byte >> 4] + digits[byte & 15];
}

std::string jsonError(std::string_view text, const Json::exception &error) {
  if (dynamic_cast<const Json::out_of_range *>(&error))
    return "file: a number is out of range";
  const auto *syntax = dynamic_cast<const Json::parse_error *>(&error);
  if (!syntax)
    return "file: not of the form expected";
  std::size_t at = std::min(text.size(), syntax->byte == 0 ? 0 : syntax->byte - 1);
  std::string_view before = text.substr(0, at);
  std::size_t lineStart = before.rfind('\n') + 1; // 0 on the first line
  return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ", column " +
         std::to_string(1 + at - lineStart) + ": no valid JSON: " + unexpected(text, at);
}

Result<Machine> readMachine(std::string_view text) {
  try {
    return machineFromJson(parseJson(text));
  } catch (const FileError &error) {
    return Error{ErrorKind::Malformed, error.what()};
  } catch (const Json::exception &error) {
    return Error{ErrorKind::Malformed, jsonError(text, error)};
  }
}

std::string writeMachine(const Machine &machine) { return machineToJson(machine).dump(2) + "\n"; }

} // namespace ferry::report
