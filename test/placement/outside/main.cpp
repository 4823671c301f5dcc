// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <placement/solve.h>

#include <iostream>

int main() {
  using namespace ferry::placement;
  Problem problem;
  problem.arrays.resize(1);
  problem.arrays[0].name = "a";
  problem.arrays[0].bytes = 1000000;
  problem.arrays[0].argument = problem.arrays[0].result = true;
  Operation map;
  map.reads = {{0, Operand::Operation, {}, {}, {}}};
  map.writes = {{0, true, {}, {}, {}}};
  map.cost.host = 1000000000;
  Loop loop;
  loop.trips = 10;
  loop.body.push_back({map, "map", 1});
  problem.body.push_back({loop, "loop", 2});
  Result<Solution> solution = solve(problem, *machineByName("pcie4"));
  if (!solution) {
    std::cerr << solution.error().message << "\n";
    return 1;
  }
  std::cout << toString(solution->side(1)) << " " << solution->plan.copies.size() << " copies\n";
}
