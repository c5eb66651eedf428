// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps the loops of an operation to the loops of the nest before it.

#include "compiler/codegen/cpu/plan/Epilogue.h"

#include "compiler/codegen/common/Aliasing.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace plumb;

/// Sources other than a value in registers.
static constexpr int kMemory = -1, kConflict = -2;
/// The body of an epilogue operation is emitted once per register, so larger ones do not pay.
static constexpr int64_t kMaxOperations = 40;

namespace {

/// The correspondence of a nest's loop with a loop of the following operation: one step of `nestLoop` is `ratio` steps
/// of `loop`. Where that operation pools, `window` steps of `nestLoop` are one of `loop` and all of `inner`.
struct Match {
  unsigned nestLoop;
  unsigned loop;
  int64_t ratio = 1;
  int64_t window = 1;
  std::optional<unsigned> inner = std::nullopt;
};

/// Maps the loops of one following operation.
class Matcher {
public:
  Matcher(const LinearNest &nest, const EpilogueValue &value, const LinearNest &follower, unsigned operand, bool folds)
      : value(value), nest(nest), follower(follower), operand(operand), folds(folds) {}

  bool run();
  /// The access of an operand of the following operation in terms of the nest's loops, if there is one.
  std::optional<LinearAccess> convert(OpOperand &operand) const;
  /// Whether an operand differs between the elements of a pooling window.
  bool walksInside(OpOperand &operand) const;

  const EpilogueValue &value;
  SmallVector<Match> matches;

private:
  bool matchLoop(unsigned loop);
  bool matchWindow(unsigned loop);
  bool coversAll() const;
  int64_t step(unsigned loop) const { return follower.stride(operand, loop); }
  /// Whether `loop` enumerates elements of the value.
  bool isWalked(unsigned loop) const { return folds || follower.isParallel(loop); }

  const LinearNest &nest;
  const LinearNest &follower;
  unsigned operand;
  bool folds;
};

} // namespace

/// Elements of a pooling window along `loop`; 1 where `value` has one result per element.
static int64_t getWindow(const LinearNest &nest, const EpilogueValue &value, unsigned loop) {
  const PoolingWindow *window = value.pooled ? nest.findWindow(loop) : nullptr;
  return window ? window->size : 1;
}

/// Finds a loop with the same stride through the value, or one whose stride divides it.
bool Matcher::matchLoop(unsigned loop) {
  int64_t window = getWindow(nest, value, loop);
  int64_t stride = nest.stride(value.access, loop) * window;
  int64_t size = nest.sizes[loop] / window;
  std::optional<Match> best;
  for (unsigned other = 0; other < follower.loops(); ++other) {
    int64_t part = step(other);
    if (!isWalked(other) || part <= 0 || stride % part != 0 || stride / part * (size - 1) >= follower.sizes[other])
      continue;
    if (!best || part > step(best->loop))
      best = Match{loop, other, stride / part, window};
  }
  if (!best)
    return false;
  matches.push_back(*best);
  return true;
}

/// Finds a pair of loops that enumerates `loop` window by window.
bool Matcher::matchWindow(unsigned loop) {
  int64_t stride = nest.stride(value.access, loop);
  for (unsigned inner = 0; inner < follower.loops(); ++inner)
    for (unsigned outer = 0; outer < follower.loops(); ++outer) {
      int64_t window = follower.sizes[inner];
      if (follower.isParallel(inner) || !follower.isParallel(outer) || window < 2 || step(inner) != stride ||
          step(outer) != stride * window || follower.sizes[outer] * window != nest.sizes[loop])
        continue;
      matches.push_back({loop, outer, 1, window, inner});
      return true;
    }
  return false;
}

/// Whether the nest's loops enumerate all iterations of the following operation exactly once.
bool Matcher::coversAll() const {
  for (unsigned loop = 0; loop < follower.loops(); ++loop) {
    if (!isWalked(loop)) {
      if (follower.sizes[loop] > 1 && llvm::none_of(matches, [&](const Match &match) { return match.inner == loop; }))
        return false;
      continue;
    }
    SmallVector<const Match *> parts;
    for (const Match &match : matches)
      if (match.loop == loop)
        parts.push_back(&match);
    llvm::sort(parts, [](auto *a, auto *b) { return a->ratio < b->ratio; });
    int64_t reached = 1;
    for (const Match *part : parts) {
      if (part->ratio != reached)
        return false;
      reached *= nest.sizes[part->nestLoop] / part->window;
    }
    if (reached != follower.sizes[loop])
      return false;
  }
  return true;
}

bool Matcher::run() {
  if (nest.accesses[value.access].offset != follower.accesses[operand].offset)
    return false;
  bool pools = !folds && llvm::is_contained(follower.kinds, utils::IteratorType::reduction);
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (!nest.isParallel(loop) || nest.sizes[loop] == 1)
      continue;
    bool found = (pools && !value.pooled && matchWindow(loop)) || matchLoop(loop);
    if (!found)
      return false;
  }
  return coversAll();
}

bool Matcher::walksInside(OpOperand &operand) const {
  unsigned number = operand.getOperandNumber();
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  return !op.getBlock()->getArgument(number).use_empty() && llvm::any_of(matches, [&](const Match &match) {
    return match.inner && follower.stride(number, *match.inner) != 0;
  });
}

std::optional<LinearAccess> Matcher::convert(OpOperand &operand) const {
  unsigned number = operand.getOperandNumber();
  LinearAccess access;
  access.offset = follower.accesses[number].offset;
  access.strides.assign(nest.loops(), 0);
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  if (op.isDpsInput(&operand) && op.getBlock()->getArgument(number).use_empty())
    return access;
  for (const Match &match : matches) {
    int64_t &stride = access.strides[match.nestLoop];
    stride = follower.stride(number, match.loop) * match.ratio;
    if (stride % match.window != 0)
      return std::nullopt;
    stride /= match.window;
    int64_t inside = match.inner ? follower.stride(number, *match.inner) : 0;
    if (inside != 0 && inside != stride)
      return std::nullopt;
  }
  return access;
}

/// Whether the body of `op` is cheap enough to be emitted for every register.
static bool isLight(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator())
    if (isa_and_nonnull<math::MathDialect>(inner.getDialect()) &&
        !isa<math::SqrtOp, math::RsqrtOp, math::AbsFOp, math::FmaOp>(inner))
      return false;
  return countOperations(op) <= kMaxOperations;
}

/// Whether each reduction result of `op` starts from a fill, and no other result depends on its previous contents.
static bool hasStarts(linalg::LinalgOp op) {
  for (auto [number, output] : llvm::enumerate(op.getRegionOutputArgs()))
    if (!output.use_empty() && (op.getNumReductionLoops() == 0 || !findInitialFill(op, number)))
      return false;
  return true;
}

/// Whether `op` can be an epilogue operation of any nest. Copies cannot: they exist to transpose.
static bool canBeEpilogueOp(linalg::LinalgOp op, bool folds) {
  if (!op.hasPureBufferSemantics() || !isVectorizable(op) || !isLight(op) ||
      isa<linalg::YieldOp>(op.getBlock()->front()))
    return false;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8)
      return false;
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init).getNumResults() != op.getNumParallelLoops() ||
        !op.getMatchingIndexingMap(&init).isProjectedPermutation())
      return false;
  for (auto index : op.getBlock()->getOps<linalg::IndexOp>())
    if (op.getIteratorTypesArray()[index.getDim()] != utils::IteratorType::reduction)
      return false;
  // Pooling starts from a fill; other results do not read their output.
  return folds ? getReductionKinds(op) && !op.hasIndexSemantics() : hasStarts(op);
}

bool plumb::isSameAccess(const LinearNest &nest, const LinearAccess &a, const LinearAccess &b) {
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.sizes[loop] > 1 && a.strides[loop] != b.strides[loop])
      return false;
  return a.offset == b.offset;
}

Epilogue::Epilogue(linalg::LinalgOp op) : op(op) {
  for (auto [number, init] : llvm::enumerate(op.getDpsInits()))
    values.push_back({init, unsigned(op.getNumDpsInputs() + number), false, op->hasAttr(kernel::kTransientName)});
}

/// The value in registers that `operand` is, kMemory if it is none, kConflict if it is the same memory with another
/// access.
int Epilogue::findSource(const LinearNest &nest, Value operand, const LinearAccess &access) const {
  if (!isa<MemRefType>(operand.getType()))
    return kMemory;
  for (unsigned number = values.size(); number-- > 0;)
    if (getReshaped(operand) == getReshaped(values[number].buffer))
      return !values[number].folded && isSameAccess(nest, access, nest.accesses[values[number].access]) ? int(number)
                                                                                                        : kConflict;
  return kMemory;
}

/// Collects the loops of the operation that enumerate pooling windows, and the windows of the nest.
static bool findWindows(const Matcher &matcher, EpilogueOp &fused, SmallVector<PoolingWindow> &windows) {
  linalg::LinalgOp op = fused.op;
  fused.windows.assign(op.getNumLoops(), -1);
  for (const Match &match : matcher.matches)
    if (match.inner) {
      fused.windows[*match.inner] = windows.size();
      windows.push_back({match.nestLoop, match.window});
    }
  return windows.empty() == (op.getNumReductionLoops() == 0);
}

/// Whether reducing `value` tile by tile is possible: all results have the same access, contiguous elements of the
/// value are contiguous in them, and different iterations of the outermost loop, which threads may share, write
/// different elements.
static bool foldsAlong(const LinearNest &nest, const EpilogueValue &value, ArrayRef<LinearAccess> results) {
  unsigned outermost = 0;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    int64_t stride = nest.stride(value.access, loop);
    if (stride > nest.stride(value.access, outermost))
      outermost = loop;
    for (const LinearAccess &result : results)
      if (result.strides[loop] != results[0].strides[loop] || (stride == 1 && result.strides[loop] != 1))
        return false;
  }
  return results[0].strides[outermost] != 0;
}

bool Epilogue::add(linalg::LinalgOp follower, LinearNest &nest) {
  return addAs(follower, nest, /*folds=*/false) ||
         (follower.getNumReductionLoops() > 0 && addAs(follower, nest, /*folds=*/true));
}

/// Maps the loops of an operation, whose nest is `own`, by the most recent value that it reads.
static std::optional<Matcher> matchLoops(ArrayRef<EpilogueValue> values, const LinearNest &nest,
                                         linalg::LinalgOp follower, const LinearNest &own, bool folds) {
  for (const EpilogueValue &value : llvm::reverse(values))
    for (OpOperand *input : follower.getDpsInputOperands()) {
      if (value.folded || getReshaped(input->get()) != getReshaped(value.buffer))
        continue;
      Matcher matcher(nest, value, own, input->getOperandNumber(), folds);
      if (matcher.run())
        return matcher;
    }
  return std::nullopt;
}

/// The accesses of an operation's operands in terms of the nest's loops, if there are such.
static std::optional<SmallVector<LinearAccess>> convertAll(const Matcher &matcher, linalg::LinalgOp follower) {
  SmallVector<LinearAccess> accesses;
  for (OpOperand &operand : follower->getOpOperands()) {
    std::optional<LinearAccess> access = matcher.convert(operand);
    if (!access)
      return std::nullopt;
    accesses.push_back(*access);
  }
  return accesses;
}

void Epilogue::append(EpilogueOp fused, bool pooled, ArrayRef<LinearAccess> accesses, LinearNest &nest) {
  unsigned firstInit = fused.firstAccess + fused.op.getNumDpsInputs();
  for (auto [number, init] : llvm::enumerate(fused.op.getDpsInits()))
    values.push_back(
        {init, unsigned(firstInit + number), pooled, fused.op->hasAttr(kernel::kTransientName), fused.folds});
  nest.accesses.append(accesses.begin(), accesses.end());
  ops.push_back(std::move(fused));
}

bool Epilogue::addAs(linalg::LinalgOp follower, LinearNest &nest, bool folds) {
  // Loops of pooling windows keep their numbers, as the body may use their indices.
  bool pools = follower.getNumReductionLoops() > 0;
  FailureOr<LinearNest> own = pools ? LinearNest::read(follower) : LinearNest::get(follower);
  if (!canBeEpilogueOp(follower, folds) || failed(own) || !own->bounds.empty())
    return false;
  std::optional<Matcher> matcher = matchLoops(values, nest, follower, *own, folds);
  if (!matcher)
    return false;
  EpilogueOp fused{follower};
  fused.firstAccess = nest.accesses.size();
  fused.firstValue = values.size();
  fused.folds = folds;
  SmallVector<PoolingWindow> windows;
  if ((!folds && !findWindows(*matcher, fused, windows)) || (folds && matcher->value.pooled) ||
      (!nest.windows.empty() && !windows.empty() && nest.windows != windows))
    return false;
  std::optional<SmallVector<LinearAccess>> accesses = convertAll(*matcher, follower);
  if (!accesses)
    return false;
  for (auto [operand, access] : llvm::zip_equal(follower->getOpOperands(), *accesses)) {
    int source = findSource(nest, operand.get(), access);
    if (source == kConflict || (source < 0 && matcher->walksInside(operand)))
      return false;
    fused.sources.push_back(source);
  }
  if (folds && !foldsAlong(nest, matcher->value, ArrayRef(*accesses).drop_front(follower.getNumDpsInputs())))
    return false;
  append(std::move(fused), matcher->value.pooled || !windows.empty(), *accesses, nest);
  if (!windows.empty())
    nest.windows = windows;
  return true;
}

void Epilogue::addMarked(LinearNest &nest) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (isMemoryEffectFree(next) || (isa<linalg::FillOp>(next) && next->hasAttr(kernel::kEpilogueName)))
      continue;
    auto follower = dyn_cast<linalg::LinalgOp>(next);
    if (!follower || !next->hasAttr(kernel::kEpilogueName) || !add(follower, nest))
      return;
  }
}

/// Pooling windows must lie in registers completely: tiles along their loops are multiples of the window.
static bool tilesWholeWindows(const LinearNest &nest, const KernelPlan &plan) {
  return llvm::all_of(nest.windows, [&](const PoolingWindow &window) {
    bool cuts = llvm::any_of(
        plan.order, [&](const OuterLoop &outer) { return outer.loop == window.loop && outer.step % window.size != 0; });
    return !cuts && !nest.findBound(window.loop) && llvm::any_of(plan.tiles, [&](const RegisterTile &tile) {
      return tile.loop == window.loop && tile.count % window.size == 0;
    });
  });
}

bool Epilogue::fits(const EpilogueOp &fused, const LinearNest &nest, const KernelPlan &plan) const {
  // Where lanes reduce, results are scalars, for which vector operations do not pay.
  if (plan.interleavesOutputs || plan.combining || (values[fused.firstValue].pooled && !tilesWholeWindows(nest, plan)))
    return false;
  linalg::LinalgOp follower = fused.op;
  for (OpOperand &operand : follower->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    int64_t stride = nest.stride(fused.firstAccess + number, plan.laneLoop);
    bool isOutput = follower.isDpsInit(&operand);
    bool isUnused = follower.getBlock()->getArgument(number).use_empty();
    if (isOutput ? stride != 1 : !isUnused && fused.sources[number] < 0 && stride != 0 && stride != 1)
      return false;
  }
  return true;
}

void Epilogue::dropLast() {
  values.truncate(ops.back().firstValue);
  ops.pop_back();
}

void Epilogue::restrictTo(const LinearNest &nest, const KernelPlan &plan) {
  const auto *first = llvm::find_if(ops, [&](const EpilogueOp &fused) { return !fits(fused, nest, plan); });
  for (unsigned kept = first - ops.begin(); ops.size() > kept;)
    dropLast();
}

/// Whether a marked operation that the epilogue does not include accesses `buffer`.
bool Epilogue::isLeftOver(Value buffer) const {
  Value root = getRoot(buffer);
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    bool isEpilogueOp = llvm::any_of(ops, [&](const EpilogueOp &fused) { return fused.op == next; });
    if (isEpilogueOp || !isa<linalg::LinalgOp>(next) || !next->hasAttr(kernel::kEpilogueName))
      continue;
    for (Value operand : next->getOperands())
      if (isa<MemRefType>(operand.getType()) && getRoot(operand) == root)
        return true;
  }
  return false;
}

bool Epilogue::isStored(unsigned number) const {
  Value buffer = getReshaped(values[number].buffer);
  for (unsigned later = number + 1; later < values.size(); ++later)
    if (getReshaped(values[later].buffer) == buffer)
      return false;
  return !values[number].transient || isLeftOver(buffer);
}

bool Epilogue::writes(Value buffer) const {
  return llvm::any_of(llvm::enumerate(values), [&](auto value) {
    return getReshaped(value.value().buffer) == getReshaped(buffer) &&
           (value.value().folded || isStored(value.index()));
  });
}

bool Epilogue::reads(Value buffer) const {
  return llvm::any_of(ops, [&](const EpilogueOp &fused) {
    linalg::LinalgOp follower = fused.op;
    return llvm::any_of(llvm::enumerate(follower.getDpsInputs()), [&](auto input) {
      return fused.sources[input.index()] == kMemory && getReshaped(input.value()) == getReshaped(buffer);
    });
  });
}
