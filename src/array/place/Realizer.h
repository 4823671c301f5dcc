// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a program again as its plan says: every array with a side in its type, transfers at the plan's edges, device
// work in launches.
//
// The old body stays as it is while the new one is made. For every old value the realizer knows its versions, at most
// one a side, as new values. A loop carries, for each of its old values, the versions that the plan says are valid and
// wanted at its head; a branch gives those that are wanted behind it. A version ends with its last use.

#pragma once

#include "array/place/DeviceMemory.h"
#include "array/place/Observer.h"
#include "array/place/ProblemBuilder.h"
#include "placement/solve.h"

#include "mlir/IR/IRMapping.h"

#include <map>

namespace ferry::array {

struct RealizeOptions {
  bool ticks = false;                   ///< Host work and work inside kernels advances the virtual clock.
  bool elementTraffic = false;          ///< Host code reads and updates single elements of device arrays only.
  const DeviceMemory *memory = nullptr; ///< Compare what is on the device with this: all sizes are known.
  bool observe = false;                 ///< Record what is so where the plan assumed something.
  bool namesCopies = false;             ///< Call what is copied as the plan's copies do, whatever it is called there.
};

class Realizer {
public:
  Realizer(const Program &program, ProblemBuilder &problem, const placement::Solution &solution,
           const RealizeOptions &options);

  /// Replaces the function's body.
  void run();
  /// Transfers made although no copy of the plan was at hand: none where the plan's arms and trips are taken.
  unsigned unplannedTransfers() const { return unplanned; }
  /// The names of the sites at which the program observes itself, by their numbers.
  const std::vector<std::string> &observationSites() const { return observer.sites(); }

private:
  struct Versions {
    mlir::Value host, device;
    mlir::Value &on(Side side) { return side == Side::host ? host : device; }
  };
  struct Scope {
    llvm::DenseMap<mlir::Value, Versions> versions;
    llvm::DenseMap<Unit, mlir::Value> current;
  };
  struct Sides {
    bool host = false, device = false;
    bool has(Side side) const { return side == Side::host ? host : device; }
    void add(Side side) { (side == Side::host ? host : device) = true; }
  };

  /// Values.
  mlir::Value plainValue(mlir::Value old) const { return plain.lookupOrDefault(old); }
  bool has(mlir::Value old, Side side);
  mlir::Value get(mlir::Value old, Side side);
  mlir::Value absent(mlir::Value old, Side side);
  mlir::Value undefined(mlir::Value old, Side side);
  mlir::Value getAny(mlir::Value old);
  mlir::Value hostScalar(mlir::Value old);
  mlir::Value placeholder(mlir::Value old, Side side);
  mlir::Value transfer(mlir::Value old, Side to);
  mlir::Value makeView(mlir::Value old, Side side);
  void set(mlir::Value old, Side side, mlir::Value made);
  void define(mlir::Value old);

  /// Copies of the plan.
  using Copies = std::vector<const placement::Copy *>;
  const Copies &copiesAt(placement::Place place, Tag tag, uint8_t arm = 0) const;
  void emitCopies(placement::Place place, Tag tag, uint8_t arm = 0);
  void emitCopiesInto(placement::Place place, Tag tag, uint8_t arm, mlir::ValueRange names, mlir::ValueRange values);
  void emitCopy(mlir::Value old, const placement::Copy &copy);

  /// Steps.
  void block(mlir::Block *block);
  void step(const Step &step);
  void piece(const Step &step);
  void hostPiece(const Step &step);
  void mapHostOperands(mlir::Operation *op, const Step &step, mlir::IRMapping &mapping);
  void devicePiece(const Step &step);
  bool isForcedPoke(const Step &step) const { return options.elementTraffic && program.isElementUpdate(step); }
  void plainOp(mlir::Operation *op);
  void tick(mlir::OpBuilder &at, const Step &step, placement::Time picoseconds);

  /// What the program finds out about itself.
  mlir::Value anyVersion(mlir::Value old) {
    return has(old, Side::host) || has(old, Side::device) ? getAny(old) : mlir::Value();
  }
  void observeExtents(const Step &step);
  void compareResidency(const Step &step);

  /// Kernels.
  llvm::DenseSet<mlir::Value> leavingKernel(const Step &step);
  void launch(const Step &step, bool wholeRegion);
  llvm::SmallVector<mlir::Operation *> cloneInto(mlir::OpBuilder &inner, const Step &step, mlir::IRMapping &mapping,
                                                 bool wholeRegion);
  void eraseLeftOut(const Step &step, mlir::IRMapping &mapping);
  void dropUnwanted(const Step &step, mlir::Operation *clone);
  void capture(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> inside, mlir::IRMapping &mapping,
               mlir::OpBuilder &inner, bool wholeRegion);
  void priceInside(const Step &step, mlir::IRMapping &mapping);

  /// Structure.
  struct Arm {
    std::unique_ptr<mlir::Region> region;
    Scope end;
  };
  /// What leaves a branch on a side: the old values at the ends of its arms, and the one that it is behind it.
  struct Out {
    mlir::Value then, otherwise, result;
    Side side;
  };
  void branch(const Step &step);
  llvm::SmallVector<Out> leavingBranch(const Step &step, Scope &end);
  Arm arm(mlir::Block *old, const Step &step, uint8_t index);
  void loop(const Step &step);
  void forLoop(const Step &step);
  void whileLoop(const Step &step);
  struct Flow {
    Carried carried;
    Sides head; ///< Carried into a trip.
    Sides end;  ///< Needed of the yielded value when a trip ends.
    Sides exit; ///< Needed of it after the last trip.
    bool isForwarded(Side side) const { return end.has(side) || exit.has(side); }
  };
  llvm::SmallVector<Flow> flows(const Step &step);
  void enterTrip(const Step &step, llvm::ArrayRef<Flow> flows, mlir::ValueRange arguments);
  void makeTrip(const Step &step, llvm::ArrayRef<Flow> flows, mlir::ValueRange inits, mlir::Region &trip);
  void makeBetween(const Step &step, llvm::ArrayRef<Flow> flows, mlir::TypeRange forwarded, mlir::Region &between);
  Sides wanted(placement::Validity validity) const { return {validity.host, validity.device}; }
  void leaveLoop(const Step &step);
  mlir::Type typeOn(mlir::Value old, Side side) const;

  const Program &program;
  ProblemBuilder &problem;
  const placement::Solution &solution;
  RealizeOptions options;
  Observer observer;
  mlir::OpBuilder builder;
  mlir::IRMapping plain;
  Scope scope;
  std::map<std::tuple<placement::Place, Tag, uint8_t>, Copies> copies;
  unsigned unplanned = 0;
};

} // namespace ferry::array
