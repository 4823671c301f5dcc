// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/trace.h"

#include <utility>

namespace ferry::runtime {

Measured &Trace::at(Measured::Kind kind, const void *identity, const char *name, const FerryOperation *operation) {
  auto [place, isNew] = places.try_emplace({kind, identity}, all.size());
  if (isNew) {
    std::string location;
    if (operation && operation->file && *operation->file)
      location = std::string(operation->file) + ":" + std::to_string(operation->line) + ":" +
                 std::to_string(operation->column);
    all.push_back({kind, name ? name : "", location});
  }
  return all[place->second];
}

void Trace::add(Measured &to, int64_t bytes) {
  Clock::time_point now = Clock::now();
  to.nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(now - began).count();
  to.bytes += bytes;
  began = now;
}

void Trace::host(const FerryOperation &operation) {
  pause();
  current = &operation;
  at(Measured::host, current, current->name, current).count += 1;
}

void Trace::pause() {
  if (current)
    add(at(Measured::host, current, current->name, current), 0);
  else
    began = Clock::now();
}

void Trace::crossed(Measured::Kind kind, const char *array, const FerryOperation *operation, int64_t bytes) {
  bool goesOn = (kind == Measured::peek || kind == Measured::poke) && operation;
  Measured &found = goesOn ? at(kind, operation, operation->name, operation) : at(kind, array, array, nullptr);
  add(found, bytes);
  found.count += 1;
  if (!goesOn)
    current = nullptr;
}

void Trace::launched(const FerryOperation &operation, int64_t bytes) {
  Measured &found = at(Measured::launch, &operation, operation.name, &operation);
  add(found, bytes);
  found.count += 1;
  current = nullptr;
}

void Trace::end() {
  pause();
  current = nullptr;
}

std::vector<Measured> Trace::take() {
  places.clear();
  return std::exchange(all, {});
}

} // namespace ferry::runtime
