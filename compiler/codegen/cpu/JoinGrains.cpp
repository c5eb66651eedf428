// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets kernels that go through the same tensors do it together, grain by grain:
// what one of them leaves in a core's caches the next one finds there.
//
//   call @map_in_grains(%x, %y)            call @turned(%w, %t)
//   call @turned(%w, %t)             =>    call @map_in_grains(%x, %y)
//   call @product_in_grains(%y, %t, %z)    call @product_in_grains(%y, %t, %z) {device.joined}
//
// Kernels join the ones before them where each of their grains needs nothing but
// what the same grain of those wrote, as addresses tell: a grain of each buffer that
// they share is the same stretch of memory for all. What stands between them and
// goes along with none waits until they are done, or is done before; so a later
// kernel on the same tensors, such as a shortcut, joins them, too. Grains of large
// tensors become finer until all that one of them touches stays in a core's caches,
// unless that makes products slower. Then small kernels are joined as they are, also with
// large ones that have joined none: threads wait for each other less often. Covered by
// join_grains.mlir.

#include "compiler/codegen/common/FindTarget.h"
#include "compiler/codegen/cpu/GrainFunction.h"
#include "compiler/codegen/cpu/GrainTouches.h"
#include "compiler/codegen/cpu/KernelPlanner.h"
#include "compiler/codegen/cpu/Passes.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "plumb-join-grains"

namespace plumb {
#define GEN_PASS_DEF_JOINGRAINSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Parts that a grain may become.
constexpr int64_t kMostParts = 16;
/// The part of the second cache that a grain of all kernels may fill.
constexpr int64_t kRoomShare = 2;
/// The part of the second cache that a kernel's grains fill for them to become finer.
constexpr int64_t kMuchShare = 4;
/// Groups that calls can still join.
constexpr unsigned kMostOpen = 4;
/// What products may cost in finer grains, over what they cost before.
constexpr double kMostLoss = 1.04;

namespace {

/// Calls that go on grain by grain, and what is done before and after them.
struct Group {
  SmallVector<func::CallOp> members;
  Touches touches, after;
  SmallVector<func::CallOp> before;
  int64_t grains = 0;
};

using Groups = SmallVector<Group, 0>;

/// Joins the kernels of one device module.
class Joiner {
public:
  Joiner(device::ModuleOp module, const CpuTarget &target)
      : module(module), symbols(module), kernels(symbols, target), target(target) {}

  void run();

private:
  bool mayJoin(const Group &group, func::CallOp call, ArrayRef<Touch> touches);
  void findGroups(Block &block);
  bool isLarge(func::CallOp call);
  Group &findGroup(Groups &open, func::CallOp call, ArrayRef<Touch> touches);
  void add(Groups &open, func::CallOp call);
  void finish(const Group &group);

  FailureOr<GrainFunction> refine(func::FuncOp grains, int64_t parts);
  double priceProducts(func::FuncOp function);
  std::optional<int64_t> chooseParts(const Group &group);
  void chooseAll();
  void replace(func::FuncOp grains, int64_t parts);
  void join(const Group &group);
  void joinAll();

  device::ModuleOp module;
  SymbolTable symbols;
  GrainTouches kernels;
  const CpuTarget &target;
  Groups groups;
  /// Whether only calls that touch much are joined now, or all that are left.
  bool joinsLarge = true;
  llvm::DenseMap<func::FuncOp, bool> large;
  /// Calls of joined groups.
  llvm::DenseSet<Operation *> taken;
  llvm::MapVector<func::FuncOp, SmallVector<func::CallOp>> calls;
  /// By function that stands for grains: into how many parts each is cut.
  llvm::MapVector<func::FuncOp, int64_t> parts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether `call` can go on grain by grain with the group, and has to do with it.
bool Joiner::mayJoin(const Group &group, func::CallOp call, ArrayRef<Touch> touches) {
  bool meets = false;
  for (const Touch &touch : touches)
    for (const Touch &other : group.touches) {
      bool inStep = isInStep(touch, other);
      if (!inStep && conflict(touch, other))
        return false;
      meets |= inStep;
    }
  return meets && getGrains(kernels.getCallee(call)) == group.grains &&
         !conflict(touches, group.after);
}

/// Whether a call touches much, and its grains can be cut further.
bool Joiner::isLarge(func::CallOp call) {
  func::FuncOp callee = kernels.getCallee(call);
  auto [known, isNew] = large.try_emplace(callee, false);
  if (!isNew || countBytes(kernels.getTouches(call)) * getGrains(callee) <
                    target.caches.back().bytes() / kMuchShare)
    return known->second;
  FailureOr<GrainFunction> fine = refine(callee, 2);
  if (failed(fine))
    return false;
  fine->function.erase();
  return large[callee] = true;
}

/// The group that a call joins, the first of those that it can, or a new one.
Group &Joiner::findGroup(Groups &open, func::CallOp call, ArrayRef<Touch> touches) {
  for (Group &group : open)
    if (mayJoin(group, call, touches))
      return group;
  if (open.size() == kMostOpen) {
    finish(open.front());
    open.erase(open.begin());
  }
  open.emplace_back().grains = getGrains(kernels.getCallee(call));
  return open.back();
}

/// Adds a call to a group, and to what is done before or after the others. Members
/// of one are never moved by another, nor is what has been joined.
void Joiner::add(Groups &open, func::CallOp call) {
  Touches touches = kernels.getTouches(call);
  bool isTaken = taken.contains(call);
  bool isCandidate = !isTaken && getGrains(kernels.getCallee(call)) && (!joinsLarge || isLarge(call));
  Group *own = isCandidate ? &findGroup(open, call, touches) : nullptr;
  if (own) {
    own->members.push_back(call);
    llvm::append_range(own->touches, touches);
  }
  for (Group &group : open) {
    if (&group == own)
      continue;
    if (own || isTaken || conflict(touches, group.touches) || conflict(touches, group.after))
      llvm::append_range(group.after, touches);
    else
      group.before.push_back(call);
  }
}

void Joiner::finish(const Group &group) {
  if (group.members.size() > 1)
    groups.push_back(group);
}

void Joiner::findGroups(Block &block) {
  Groups open;
  auto finishAll = [&] {
    for (const Group &group : open)
      finish(group);
    open.clear();
  };
  for (Operation &op : block) {
    auto call = dyn_cast<func::CallOp>(op);
    func::FuncOp callee = call ? kernels.getCallee(call) : func::FuncOp();
    if (callee && kernels.isKernel(callee))
      add(open, call);
    else if (!isMemoryEffectFree(&op))
      finishAll();
  }
  finishAll();
}

//===----------------------------------------------------------------------===//
// Finer grains
//===----------------------------------------------------------------------===//

/// Cycles of the products of a function, if their data are at hand.
double Joiner::priceProducts(func::FuncOp function) {
  double cycles = 0;
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    if (isContraction(op))
      cycles += priceKernel(op, target).value_or(0);
  return cycles;
}

/// A grain's part, of which there are `parts`: together they go through memory as
/// the grain does. The function is in no module yet.
FailureOr<GrainFunction> Joiner::refine(func::FuncOp grains, int64_t parts) {
  func::FuncOp part = kernels.getPart(grains);
  SmallVector<linalg::LinalgOp> ops(part.front().getOps<linalg::LinalgOp>());
  auto apart = [&](unsigned a, unsigned b) {
    return areApartInAll(calls[grains], a, b);
  };
  for (unsigned loop = 0; loop < ops.back().getNumLoops(); ++loop) {
    auto split = splitAlong(ops, ops.size() - 1, loop, parts, apart);
    if (failed(split))
      continue;
    GrainFunction fine = buildGrainFunction(part, ops, *split);
    bool goesOn = llvm::equal(fine.arguments, llvm::seq<unsigned>(0, part.getNumArguments())) &&
                  llvm::equal(getSteps(grains), llvm::map_range(fine.steps, [&](int64_t step) {
                    return step * parts;
                  }));
    if (goesOn)
      return fine;
    fine.function.erase();
  }
  return failure();
}

/// The fewest parts of a grain such that all calls' part stays in the second cache;
/// nothing where that cannot be.
std::optional<int64_t> Joiner::chooseParts(const Group &group) {
  int64_t cache = target.caches.back().bytes(), bytes = countBytes(group.touches);
  if (!joinsLarge || bytes * group.grains < cache)
    return 1;
  for (int64_t parts = 1; parts <= kMostParts; parts *= 2)
    if (bytes / parts <= cache / kRoomShare)
      return parts;
  return std::nullopt;
}

/// Chooses for all groups: a function has the same grains in all of them.
void Joiner::chooseAll() {
  llvm::erase_if(groups, [&](Group &group) {
    std::optional<int64_t> wanted = chooseParts(group);
    for (func::CallOp call : group.members)
      if (wanted)
        parts[kernels.getCallee(call)] = std::max(parts[kernels.getCallee(call)], *wanted);
    return !wanted;
  });
  for (bool changed = true; changed;) {
    changed = false;
    for (Group &group : groups) {
      int64_t most = 1;
      for (func::CallOp call : group.members)
        most = std::max(most, parts[kernels.getCallee(call)]);
      for (func::CallOp call : group.members) {
        changed |= parts[kernels.getCallee(call)] != most;
        parts[kernels.getCallee(call)] = most;
      }
    }
  }
}

/// Cuts the grains that `grains` stands for into `parts`, unless products lose.
void Joiner::replace(func::FuncOp grains, int64_t parts) {
  FailureOr<GrainFunction> fine = refine(grains, parts);
  func::FuncOp part = kernels.getPart(grains);
  if (failed(fine))
    return;
  if (priceProducts(fine->function) * parts > kMostLoss * priceProducts(part)) {
    fine->function.erase();
    return;
  }
  Builder builder(module.getContext());
  grains->setAttr("device.grains", builder.getI64IntegerAttr(getGrains(grains) * parts));
  grains->setAttr("device.steps", builder.getDenseI64ArrayAttr(fine->steps));
  kernels.forget(part);
  symbols.erase(part);
  symbols.insert(fine->function);
}

/// Moves what `op` needs, and `op` itself, before `place`.
static void moveUp(Operation *op, Operation *place) {
  for (Value operand : op->getOperands())
    if (Operation *view = operand.getDefiningOp();
        view && view->getBlock() == place->getBlock() && place->isBeforeInBlock(view))
      moveUp(view, place);
  op->moveBefore(place);
}

/// Puts the group's calls behind each other if they still go in step.
void Joiner::join(const Group &group) {
  Group now;
  now.grains = getGrains(kernels.getCallee(group.members.front()));
  for (func::CallOp call : group.members) {
    Touches touches = kernels.getTouches(call);
    if (!now.touches.empty() && !mayJoin(now, call, touches))
      return;
    llvm::append_range(now.touches, touches);
  }
  Operation *first = group.members.front();
  for (func::CallOp call : group.before)
    if (first->isBeforeInBlock(call))
      moveUp(call, first);
  for (func::CallOp call : llvm::drop_begin(group.members)) {
    moveUp(call, first);
    call->setAttr("device.joined", UnitAttr::get(module.getContext()));
  }
  first->moveBefore(group.members[1]);
  taken.insert_range(group.members);
}

void Joiner::joinAll() {
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](Block *block) { findGroups(*block); });
  chooseAll();
  for (auto [grains, number] : parts)
    if (number > 1)
      replace(grains, number);
  for (const Group &group : groups)
    join(group);
  groups.clear();
  parts.clear();
}

void Joiner::run() {
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) { calls[kernels.getCallee(call)].push_back(call); });
  joinAll();
  joinsLarge = false;
  joinAll();
}

namespace {
struct JoinGrains : plumb::impl::JoinGrainsPassBase<JoinGrains> {
  using JoinGrainsPassBase::JoinGrainsPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    for (auto module : getOperation().getOps<device::ModuleOp>())
      Joiner(module, *target).run();
  }
};
} // namespace
