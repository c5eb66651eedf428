// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has loops that are differentiated carry the parameters that they write, which are then written once, behind the loop:
//
//   %r:2 = scf.for … iter_args(%x = %x0, %u = %u0) {     %w0, %u1 = net.read @w after %u0
//     %w, %u1 = net.read @w after %u                  ->  %r:3 = scf.for … iter_args(%x = %x0, %u = %u1, %p = %w0) {
//     %y = net.mul %x, %w                                   %w = net.straight_through %p, %w0
//     %u2 = net.assign @w, %y after %u1                     %y = net.mul %x, %w
//     yield %y, %u2                                         yield %y, %u, %y
//   }                                                     }
//                                                         %u2 = net.assign @w, %r#2 after %r#1
//
// A gradient takes each read for the parameter itself, however often it was written: so what is read in the loop is the
// carried value, but its adjoint is that of the read before the loop.
//
// The reverse of a loop runs its steps again from states on a tape (StateTape.h), so all that a step depends on must be
// state that the loop carries. Nobody can see a parameter between two steps of a loop that only computes. Other loops
// keep their writes: in place, a write of a few rows costs less than a value that is carried. Test:
// test/compiler/autodiff/hoist_loop_writes.mlir.

#include "compiler/auto_monad/EffectInference.h"
#include "compiler/autodiff/Activity.h"
#include "compiler/autodiff/Passes.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace plumb {
#define GEN_PASS_DEF_HOISTLOOPWRITESPASS
#include "compiler/autodiff/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// A parameter that a loop writes.
struct Carried {
  Value present; ///< Its value here.
  Value source;  ///< The read before the loop.
};

/// The parameters that a loop writes.
using State = llvm::MapVector<StringAttr, Carried>;

} // namespace

static void carryThrough(Block &block, State &state);

static Operation *createLike(Operation *op, ValueRange operands, TypeRange further) {
  OpBuilder builder(op);
  OperationState made(op->getLoc(), op->getName());
  made.addOperands(op->getOperands());
  made.addOperands(operands);
  made.addTypes(op->getResultTypes());
  made.addTypes(further);
  made.addAttributes(op->getAttrs());
  for (Region &region : op->getRegions())
    made.addRegion()->takeBody(region);
  return builder.create(made);
}

static void replaceBy(Operation *op, Operation *wider) {
  op->replaceAllUsesWith(wider->getResults().take_front(op->getNumResults()));
  op->erase();
}

/// The parameters that an arm of a branch leaves with another value.
static SetVector<StringAttr> findChanged(const State &state, ArrayRef<State> arms) {
  SetVector<StringAttr> changed;
  for (const State &arm : arms)
    for (auto [name, carried] : arm)
      if (state.lookup(name).present != carried.present)
        changed.insert(name);
  return changed;
}

/// Has a branch yield what either arm has made of the state.
static void carryThroughBranch(scf::IfOp branch, State &state) {
  SmallVector<State> arms(2, state);
  for (auto [region, arm] : llvm::zip(branch->getRegions(), arms))
    if (!region.empty())
      carryThrough(region.front(), arm);
  SetVector<StringAttr> changed = findChanged(state, arms);
  if (changed.empty())
    return;
  auto types = llvm::map_to_vector(changed, [&](StringAttr name) { return state.lookup(name).present.getType(); });
  Operation *wider = createLike(branch, {}, types);
  for (auto [region, arm] : llvm::zip(wider->getRegions(), arms)) {
    if (region.empty()) {
      OpBuilder builder = OpBuilder::atBlockEnd(&region.emplaceBlock());
      scf::YieldOp::create(builder, branch.getLoc());
    }
    auto yielded = llvm::map_to_vector(changed, [&arm = arm](StringAttr name) { return arm.lookup(name).present; });
    Operation *yield = region.front().getTerminator();
    yield->insertOperands(yield->getNumOperands(), yielded);
  }
  for (auto [name, result] : llvm::zip(changed, wider->getResults().take_back(changed.size())))
    state[name].present = result;
  replaceBy(branch, wider);
}

static void replaceRead(net::ReadOp read, const State &state) {
  Carried carried = state.lookup(getParameterName(read));
  if (!carried.present)
    return;
  OpBuilder builder(read);
  auto value = net::StraightThroughOp::create(builder, read.getLoc(), carried.present, carried.source);
  read.getValue().replaceAllUsesWith(value);
  read.getOutToken().replaceAllUsesWith(read.getToken());
  read.erase();
}

/// Replaces the reads and writes of the state in `block` by what the state has come to. Loops in it only read.
static void carryThrough(Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      carryThroughBranch(branch, state);
    } else if (isa<LoopLikeOpInterface>(op)) {
      op.walk([&](net::ReadOp read) { replaceRead(read, state); });
    } else if (auto read = dyn_cast<net::ReadOp>(op)) {
      replaceRead(read, state);
    } else if (auto write = dyn_cast<net::AssignOp>(op)) {
      state[getParameterName(write)].present = write.getValue();
      write.getOutToken().replaceAllUsesWith(write.getToken());
      write.erase();
    }
  }
}

/// Has the blocks of `loop` take the state as their last arguments and hand it on to their ends.
static Operation *widenLoop(Operation *loop, const State &state) {
  SmallVector<Value> inits = llvm::map_to_vector(state, [](const auto &entry) { return entry.second.present; });
  Operation *wider = createLike(loop, inits, ValueRange(inits).getTypes());
  for (Region &region : wider->getRegions()) {
    Block &block = region.front();
    State inside = state;
    for (auto &[name, carried] : inside)
      carried.present = block.addArgument(carried.present.getType(), loop->getLoc());
    carryThrough(block, inside);
    auto handed = llvm::map_to_vector(inside, [](const auto &entry) { return entry.second.present; });
    block.getTerminator()->insertOperands(block.getTerminator()->getNumOperands(), handed);
  }
  replaceBy(loop, wider);
  return wider;
}

/// The memory token among `values`, or null.
static Value findToken(ValueRange values) {
  auto found = llvm::find_if(values, [](Value value) { return isa<net::UType>(value.getType()); });
  return found == values.end() ? Value() : *found;
}

/// Whether only branches stand between `op` and `loop`.
static bool isStepOf(Operation *loop, Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa<scf::IfOp>(parent))
    parent = parent->getParentOp();
  return parent == loop;
}

/// The writes of `loop`, if all that it does with memory is to read and write parameters, and no loop in it writes.
static SmallVector<net::AssignOp> findWrites(LoopLikeOpInterface loop) {
  SmallVector<net::AssignOp> writes;
  WalkResult walk = loop->walk([&](Operation *op) -> WalkResult {
    auto stateful = dyn_cast<net::StateOpInterface>(op);
    bool isAccess = isa<net::ReadOp, net::AssignOp>(op) && stateful.hasToken();
    if (auto write = dyn_cast<net::AssignOp>(op)) {
      isAccess = isAccess && isStepOf(loop, write);
      writes.push_back(write);
    }
    bool hasEffect =
        op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
        (stateful ? stateful.getTokenKind() == net::TokenKind::Memory : bool(findToken(op->getOperands())));
    return hasEffect && !isAccess && !isa<net::DependOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted() ? SmallVector<net::AssignOp>() : writes;
}

static void hoistWrites(LoopLikeOpInterface loop) {
  SmallVector<net::AssignOp> writes = findWrites(loop);
  Value token = findToken(loop.getInits()), last = findToken(loop->getResults());
  if (writes.empty() || !token || !last)
    return;
  unsigned number = cast<OpResult>(last).getResultNumber();
  OpBuilder before(loop);
  State state;
  Value first = token;
  for (net::AssignOp write : writes) {
    Carried &carried = state[getParameterName(write)];
    if (carried.present)
      continue;
    auto read = net::ReadOp::create(before, write.getLoc(), write.getValue().getType(), write.getParameter(), first);
    carried = {read.getValue(), read.getValue()};
    first = read.getOutToken();
  }
  loop->replaceUsesOfWith(token, first);
  Operation *wider = widenLoop(loop, state);
  OpBuilder behind(wider->getContext());
  behind.setInsertionPointAfter(wider);
  last = wider->getResult(number);
  Value next = last;
  SmallPtrSet<Operation *, 4> chain;
  for (auto [entry, result] : llvm::zip(state, wider->getResults().take_back(state.size()))) {
    auto write = net::AssignOp::create(behind, wider->getLoc(), entry.first.getValue(), result, next);
    next = write.getOutToken();
    chain.insert(write);
  }
  last.replaceAllUsesExcept(next, chain);
}

/// Appends the functions that `op` differentiates, and those that they call.
static void findDifferentiated(Operation *op, SymbolTableCollection &symbols, bool isInside,
                               SetVector<Operation *> &found) {
  op->walk([&](Operation *nested) {
    func::FuncOp callee = isInside || isa<net::ValueAndGradOp>(nested) ? lookupCallee(nested, symbols) : func::FuncOp();
    if (callee && found.insert(callee))
      findDifferentiated(callee, symbols, /*isInside=*/true, found);
  });
}

namespace {

struct HoistLoopWritesPass : public plumb::impl::HoistLoopWritesPassBase<HoistLoopWritesPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    SetVector<Operation *> functions;
    findDifferentiated(getOperation(), symbols, /*isInside=*/false, functions);
    // Inner loops first: what they hoist lands in the outer loop, which hoists it on.
    for (Operation *function : functions)
      function->walk([](LoopLikeOpInterface loop) {
        if (isa<scf::ForOp, scf::WhileOp>(loop))
          hoistWrites(loop);
      });
  }
};

} // namespace
