// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ferry::test {

namespace {

bool startsWith(const std::string &line, const char *prefix) { return line.rfind(prefix, 0) == 0; }

void readPrograms(const std::filesystem::path &path, std::vector<Program> &programs) {
  const std::string opening = "-- == ", error = "-- error: ";
  std::ifstream stream(path);
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (startsWith(line, opening.c_str())) {
      programs.push_back({path.stem().string(), line.substr(opening.size()), {}, {}});
      inside = true;
    } else if (inside && startsWith(line, error.c_str())) {
      programs.back().error = line.substr(error.size());
    } else if (inside) {
      programs.back().text += line + "\n";
    }
  }
}

} // namespace

std::vector<Program> programsIn(const std::string &folder) {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".fut")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Program> programs;
  for (const auto &file : files)
    readPrograms(file, programs);
  return programs;
}

std::string identifier(const Program &program) {
  std::string result = program.file + "_" + program.name;
  for (char &c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return result;
}

} // namespace ferry::test
