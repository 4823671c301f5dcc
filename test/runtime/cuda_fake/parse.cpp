// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx.h"
#include "races.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <optional>
#include <regex>

namespace ptx {

bool Instruction::has(const char *mark) const { return std::ranges::find(marks, mark) != marks.end(); }

Type Instruction::type(size_t which) const { return which < types.size() ? types[which] : Type(); }

const Function *Module::kernel(const std::string &name) const {
  auto found = names.find(name);
  return found != names.end() && functions[found->second].isKernel ? &functions[found->second] : nullptr;
}

static std::optional<Type> typeNamed(const std::string &name) {
  if (name == "pred")
    return Type{'p', 1};
  static const std::regex form("([busf])(8|16|32|64)");
  std::smatch match;
  if (!std::regex_match(name, match, form))
    return std::nullopt;
  return Type{match[1].str()[0], std::stoi(match[2])};
}

static std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    if (c == at && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

static std::string trimmed(const std::string &text) {
  size_t from = text.find_first_not_of(" \t\n\r"), to = text.find_last_not_of(" \t\n\r");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

// As Operand::Special.
static const char *const specials[] = {"%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x"};

class Parser {
public:
  Parser(Module &module, const std::string &source) : module(module) {
    static const std::regex comments("//[^\n]*");
    text = std::regex_replace(source, comments, "");
  }

  void parse() {
    for (skip(); at < text.size(); skip()) {
      if (takes(".version") || takes(".target") || takes(".address_size"))
        at = std::min(text.find('\n', at), text.size());
      else if (lookingAt(".global") || lookingAt(".const") || lookingAt(".visible .global"))
        variable(statement());
      else if (lookingAt(".shared") || lookingAt(".extern .shared"))
        sharedVariable(statement(), module.shared);
      else
        function();
    }
    for (Function &one : module.functions)
      for (Instruction &each : one.code)
        if (each.name == "call")
          resolve(each);
  }

private:
  [[noreturn]] static void fail(const std::string &what) { throw Error("PTX: " + what.substr(0, 200)); }

  void skip() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool lookingAt(const char *word) const { return text.compare(at, std::strlen(word), word) == 0; }
  bool takes(const char *word) {
    skip();
    if (!lookingAt(word))
      return false;
    at += std::strlen(word);
    return true;
  }
  std::string upTo(char end) {
    size_t found = text.find(end, at);
    if (found == std::string::npos)
      fail(std::string("no '") + end + "'");
    std::string part = text.substr(at, found - at);
    at = found + 1;
    return trimmed(part);
  }
  std::string statement() { return upTo(';'); }

  // .global .align 4 .b8 name[8] = {1, 2}
  void variable(const std::string &line) {
    static const std::regex form(R"(.*\.[bus](8|16|32|64)\s+([\w$]+)(?:\[(\d*)\])?\s*(?:=\s*([^;]*))?)");
    std::smatch match;
    std::string one = line;
    std::ranges::replace(one, '\n', ' ');
    if (!std::regex_match(one, match, form))
      fail(line);
    size_t each = std::stoul(match[1]) / 8, count = match[3].matched && match[3].length() ? std::stoul(match[3]) : 1;
    std::vector<uint64_t> &words = module.globals[match[2]];
    words.resize(each * count / 8 + 1);
    std::string values = match[4];
    std::erase_if(values, [](char c) { return c == '{' || c == '}'; });
    size_t offset = 0;
    for (const std::string &value : split(values, ','))
      if (std::string word = trimmed(value); !word.empty()) {
        uint64_t bits = word[0] == '-' ? static_cast<uint64_t>(std::stoll(word)) : std::stoull(word, nullptr, 0);
        std::memcpy(reinterpret_cast<char *>(words.data()) + offset, &bits, each);
        offset += each;
      }
  }

  // .extern .shared .align 16 .b8 name[]
  void sharedVariable(const std::string &line, SharedLayout &layout) {
    static const std::regex form(
        R"((\.extern )?\.shared\s+(?:\.align\s+(\d+)\s+)?\.[busf](8|16|32|64)\s+([\w$]+)(?:\[(\d*)\])?)");
    std::smatch match;
    if (!std::regex_match(line, match, form))
      fail(line);
    size_t each = std::stoul(match[3]) / 8, count = match[5].length() ? std::stoul(match[5]) : 1;
    Operand &made = sharedVariables[match[4]];
    made = {};
    made.kind = match[1].length() ? Operand::dynamic : Operand::shared;
    if (made.kind == Operand::shared)
      made.value = static_cast<int64_t>(layout.add(each * count, match[2].length() ? std::stoul(match[2]) : each));
    if (layout.bytes > mostSharedBytes)
      fail("more shared memory than there is: " + line);
  }

  // ---- Functions

  size_t room(const std::string &name, size_t bytes) {
    if (auto known = locals.find(name); known != locals.end())
      return known->second;
    size_t offset = current->frameBytes;
    current->frameBytes += (bytes + 15) / 16 * 16;
    return locals[name] = offset;
  }

  // ".param .align 8 .b8 name[16]" and its like; the room it takes.
  Variable declared(const std::string &line) {
    static const std::regex form(R"(\.(?:param|local)\b.*\.[busf](\d+)\s+.*?([\w$]+)(?:\[(\d+)\])?)"),
        pointer(R"(\.param \.u64 .*?([\w$]+))");
    std::smatch match;
    std::string one = trimmed(line);
    std::ranges::replace(one, '\n', ' ');
    size_t bytes = 8;
    std::string name;
    if (std::regex_match(one, match, pointer)) {
      name = match[1];
    } else if (std::regex_match(one, match, form)) {
      bytes = std::stoul(match[1]) / 8 * (match[3].matched ? std::stoul(match[3]) : 1);
      name = match[2];
    } else {
      fail(line);
    }
    return {room(name, bytes), bytes};
  }

  std::vector<Variable> declaredList() {
    std::vector<Variable> found;
    if (!takes("("))
      return found;
    std::string list = upTo(')');
    for (const std::string &one : split(list, ','))
      if (!trimmed(one).empty())
        found.push_back(declared(one));
    return found;
  }

  void function() {
    bool isKernel = false, isKnown = false;
    for (skip(); at < text.size(); skip()) {
      if (takes(".entry"))
        isKernel = isKnown = true;
      else if (takes(".func"))
        isKnown = true;
      else if (!takes(".visible") && !takes(".extern") && !takes(".weak"))
        break;
      if (isKnown)
        break;
    }
    if (!isKnown)
      fail(text.substr(at, 80));
    Function made;
    current = &made;
    locals.clear();
    registers.clear();
    made.isKernel = isKernel;
    made.shared = module.shared;
    made.results = declaredList();
    skip();
    size_t end = at;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '$'))
      ++end;
    made.name = text.substr(at, end - at);
    at = end;
    made.parameters = declaredList();
    for (skip(); !lookingAt("{") && !lookingAt(";"); skip()) {
      if (takes(".noreturn"))
        continue;
      bool isExactly = takes(".reqntid");
      if (isExactly || takes(".maxntid"))
        made.groupThreads = std::stoi(text.substr(at, 16));
      made.isExactly |= isExactly;
      at = std::min(text.find('\n', at), text.size());
    }
    made.isDefined = takes("{");
    if (made.isDefined)
      body();
    else
      ++at;
    made.registers = registers.size();
    if (auto known = module.names.find(made.name); known == module.names.end()) {
      module.names[made.name] = module.functions.size();
      module.functions.push_back(std::move(made));
    } else if (made.isDefined) {
      module.functions[known->second] = std::move(made);
    }
  }

  void body() {
    std::map<std::string, int64_t> labels;
    std::map<std::string, std::vector<std::string>> tables; // labels of branches by an index
    std::vector<std::pair<size_t, std::string>> branches;   // and the label of where they go, or of their table
    std::string last;
    int depth = 1;
    while (depth > 0) {
      skip();
      if (takes("{")) {
        ++depth;
        continue;
      }
      if (takes("}")) {
        --depth;
        continue;
      }
      static const std::regex label(R"(([\w$]+):)");
      std::smatch match;
      std::string ahead = text.substr(at, 128);
      if (std::regex_search(ahead, match, label, std::regex_constants::match_continuous)) {
        last = match[1];
        labels[last] = static_cast<int64_t>(current->code.size());
        at += static_cast<size_t>(match.length());
        continue;
      }
      std::string line = statement();
      if (line.starts_with(".pragma"))
        continue;
      if (line.starts_with(".reg")) { // of numbered ones each is known by its use
        for (const std::string &one : split(line, ',')) {
          std::string name = trimmed(one);
          registers.emplace(name.substr(name.find_last_of(" \t") + 1), registers.size());
        }
        continue;
      }
      if (line.starts_with(".branchtargets")) {
        for (const std::string &one : split(line.substr(std::strlen(".branchtargets")), ','))
          tables[last].push_back(trimmed(one));
        continue;
      }
      if (line.starts_with(".param") || line.starts_with(".local"))
        declared(line);
      else if (line.starts_with(".shared") && current->isKernel)
        sharedVariable(line, current->shared);
      else
        instruction(line, branches);
    }
    auto labelled = [&](const std::string &name) {
      if (!labels.contains(name))
        fail("no label " + name);
      return labels[name];
    };
    for (auto &[index, name] : branches) {
      current->code[index].target = labelled(name);
      for (const std::string &one : tables[name])
        current->code[index].targets.push_back(labelled(one));
    }
  }

  void instruction(const std::string &line, std::vector<std::pair<size_t, std::string>> &branches) {
    static const std::regex form(R"((?:@(!?)(%\w+)\s+)?([\w.:]+)\s*([\s\S]*))");
    std::smatch match;
    if (!std::regex_match(line, match, form))
      fail(line);
    Instruction made;
    made.text = line;
    if (match[2].matched && match[2].length()) {
      made.guard = operand(match[2]);
      made.guard.isNegated = match[1].length() > 0;
    }
    std::vector<std::string> parts = split(match[3], '.');
    made.name = parts.front();
    for (size_t i = 1; i < parts.size(); ++i)
      if (auto type = typeNamed(parts[i]))
        made.types.push_back(*type);
      else
        made.marks.push_back(parts[i]);
    std::string rest = trimmed(match[4]);
    if (made.name == "bra")
      branches.emplace_back(current->code.size(), rest);
    else if (made.name == "brx") {
      std::vector<std::string> ends = split(rest, ',');
      made.operands.push_back(operand(trimmed(ends.front())));
      branches.emplace_back(current->code.size(), trimmed(ends.back()));
    } else if (made.name == "call")
      call(made, rest);
    else if (!rest.empty())
      for (const std::string &one : split(rest, ','))
        made.operands.push_back(operand(trimmed(one)));
    current->code.push_back(std::move(made));
  }

  std::vector<size_t> offsets(const std::string &list) {
    std::vector<size_t> found;
    for (const std::string &one : split(list.substr(1, list.size() - 2), ','))
      if (std::string name = trimmed(one); !name.empty())
        found.push_back(room(name, 8));
    return found;
  }

  // (result), function, (argument, ...)
  void call(Instruction &made, const std::string &rest) {
    for (const std::string &part : split(rest, ',')) {
      std::string one = trimmed(part);
      if (!one.starts_with("("))
        made.text = one;
      else if (made.text == one || made.text.starts_with("call"))
        made.returned = offsets(one);
      else
        made.passed = offsets(one);
    }
  }

  void resolve(Instruction &made) {
    auto found = module.names.find(made.text);
    if (found == module.names.end() || !module.functions[found->second].isDefined)
      fail("no function " + made.text);
    made.target = static_cast<int64_t>(found->second);
  }

  Operand operand(const std::string &word) {
    Operand made;
    if (word.starts_with("{")) {
      made.kind = Operand::several;
      for (const std::string &one : split(word.substr(1, word.size() - 2), ','))
        made.elements.push_back(operand(trimmed(one)));
      return made;
    }
    if (word.starts_with("[")) {
      static const std::regex form(R"(\[\s*([^+\]]+?)\s*(?:\+\s*(-?\d+))?\s*\])");
      std::smatch match;
      if (!std::regex_match(word, match, form))
        fail(word);
      Operand base = operand(match[1]);
      made.kind = Operand::address;
      made.base = base.kind;
      made.value = base.value;
      made.offset = match[2].matched ? std::stoll(match[2]) : 0;
      return made;
    }
    if (word.starts_with("!")) {
      made = operand(word.substr(1));
      made.isNegated = true;
      return made;
    }
    if (word.starts_with("%") || registers.contains(word)) {
      const auto *special = std::ranges::find(specials, word);
      if (special != std::end(specials)) {
        made.kind = Operand::special;
        made.value = special - std::begin(specials);
        return made;
      }
      if (word.find('.') != std::string::npos)
        fail("no register " + word);
      made.kind = Operand::reg;
      made.value = static_cast<int64_t>(registers.emplace(word, registers.size()).first->second);
      return made;
    }
    made.kind = Operand::number;
    if (word.starts_with("0f") || word.starts_with("0d") || word.starts_with("0F") || word.starts_with("0D")) {
      made.value = static_cast<int64_t>(std::stoull(word.substr(2), nullptr, 16));
      return made;
    }
    if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-') {
      made.value = word[0] == '-' ? std::stoll(word, nullptr, 0) : static_cast<int64_t>(std::stoull(word, nullptr, 0));
      return made;
    }
    if (word == "true" || word == "false") {
      made.value = word == "true";
      return made;
    }
    if (auto local = locals.find(word); local != locals.end()) {
      made.kind = Operand::frame;
      made.value = static_cast<int64_t>(local->second);
      return made;
    }
    if (auto found = sharedVariables.find(word); found != sharedVariables.end())
      return found->second;
    if (auto global = module.globals.find(word); global != module.globals.end()) {
      made.kind = Operand::global;
      made.value = static_cast<int64_t>(reinterpret_cast<uintptr_t>(global->second.data()));
      return made;
    }
    fail("no operand " + word);
  }

  Module &module;
  std::string text;
  size_t at = 0;
  Function *current = nullptr;
  std::map<std::string, size_t> locals;    ///< offsets in the frame
  std::map<std::string, size_t> registers; ///< numbers
  std::map<std::string, Operand> sharedVariables;
};

void prepare(std::vector<Instruction> &code); // decode.cpp

Module::Module(const std::string &text) : races(std::make_unique<Races>()) {
  Parser(*this, text).parse();
  for (Function &function : functions)
    prepare(function.code);
}

Module::Module(Module &&) noexcept = default;
Module::~Module() = default;

} // namespace ptx
