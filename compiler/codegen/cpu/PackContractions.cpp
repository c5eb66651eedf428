// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every contraction, each loop is tried as lanes with all operands that
// depend on it rearranged so that the loop is innermost:
//
//   y[n, oc, h, w] += x[n, ic, h+i, w+j] * k[oc, ic, i, j]      lanes: oc
//   → kt[ic, i, j, oc] = k;  yt[n, h, w, oc] += x · kt;  y = yt
//
// A trial is built as operations, priced by the planner that will emit them,
// copies included, and taken away again unless it is the best one. A bound on
// the arithmetic decides beforehand whether a trial is worth building, and what
// was found for a contraction holds for others of the same shapes. Covered by
// pack_contractions.mlir.

#include "compiler/codegen/cpu/KernelPlanner.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/Scratch.h"
#include "compiler/codegen/cpu/VectorizeModule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <map>

#define DEBUG_TYPE "plumb-pack-contractions"

namespace plumb {
#define GEN_PASS_DEF_PACKCONTRACTIONSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// A rearrangement must save this share to be worth its code.
constexpr double kLeastGain = 0.12;
/// Copying one element, in cycles, as a bound from below.
constexpr double kCopyCycles = 0.25;
constexpr int64_t kMostScratchBytes = int64_t(1) << 24;

/// By operand: the dimension to move innermost, or -1 to leave it.
using Moves = SmallVector<int64_t>;

/// What is rearranged, and whether halos get their zeros.
struct Form {
  Moves moves;
  bool fillsHalos = false;
};

/// By all that a contraction's price depends on: its best form, if it is not the one
/// in which it stands.
using KnownForms = std::map<SmallVector<const void *>, std::optional<Form>>;

/// Operations that stand for one rearranged contraction.
struct Trial {
  SmallVector<linalg::LinalgOp> ops;
  SmallVector<Operation *> all;
  double cycles = 0;
  int64_t scratchBytes = 0;
};

/// Rearranges one contraction, if that pays.
class Packer {
public:
  Packer(linalg::LinalgOp op, const CpuTarget &target)
      : op(op), target(target), rewriter(op.getContext()),
        fill(findInitialFill(op, 0)) {}

  /// Returns the bytes of scratch memory that the result uses.
  int64_t run(KnownForms &known);

private:
  SmallVector<const void *> getKey();
  void findBest();
  std::optional<Moves> findMoves(unsigned loop);
  double getBound(unsigned loop, const Moves &moves);
  void consider(const Form &form);
  std::optional<Trial> build(const Form &form);
  Value moveInput(Value input, int64_t dim, Scratch &scratch, Trial &trial);
  Value fillHalo(device::HaloOp halo, Scratch &scratch, Trial &trial);
  void discard(Trial &trial);

  linalg::LinalgOp op;
  const CpuTarget &target;
  IRRewriter rewriter;
  linalg::FillOp fill;
  /// The best trial so far and what the next one must stay below.
  Trial best;
  std::optional<Form> bestForm;
  double limit = std::numeric_limits<double>::infinity();
};

struct PackContractions
    : plumb::impl::PackContractionsPassBase<PackContractions> {
  using PackContractionsPassBase::PackContractionsPassBase;
  void runOnOperation() override;
};

} // namespace

/// `dim` last, the others in their order.
static SmallVector<int64_t> moveLast(int64_t rank, int64_t dim) {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      order.push_back(i);
  order.push_back(dim);
  return order;
}

template <typename T>
static SmallVector<T> permute(ArrayRef<T> values, ArrayRef<int64_t> order) {
  SmallVector<T> result;
  for (int64_t i : order)
    result.push_back(values[i]);
  return result;
}

/// What must move for `loop` to be innermost in all operands that it walks.
/// Nothing when the loop walks an operand together with other loops.
std::optional<Moves> Packer::findMoves(unsigned loop) {
  Moves moves;
  bool any = false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    int64_t found = -1;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (!expr.isFunctionOfDim(loop))
        continue;
      if (found >= 0 || !isa<AffineDimExpr>(expr))
        return std::nullopt;
      found = dim;
    }
    bool isLast = found == int64_t(map.getNumResults()) - 1;
    if (found >= 0 && !isLast && op.isDpsInit(&operand) && !fill)
      return std::nullopt;
    any |= found >= 0 && !isLast;
    moves.push_back(isLast ? -1 : found);
  }
  if (!any)
    return std::nullopt;
  return moves;
}

/// Cycles that arithmetic with full tiles and the copies take at least.
double Packer::getBound(unsigned loop, const Moves &moves) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t lanes = std::min<int64_t>(target.lanes(32),
                                    llvm::PowerOf2Ceil(sizes[loop]));
  double vectors = llvm::divideCeil(sizes[loop], lanes);
  for (auto [number, size] : llvm::enumerate(sizes))
    vectors *= number == loop ? 1 : size;
  double copies = 0;
  for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), moves))
    if (dim >= 0)
      copies += cast<MemRefType>(operand.getType()).getNumElements();
  return vectors / 2 + copies * kCopyCycles;
}

/// Builds the copy of one input. What lies around a halo moves with it.
Value Packer::moveInput(Value input, int64_t dim, Scratch &scratch,
                        Trial &trial) {
  if (auto halo = input.getDefiningOp<device::HaloOp>()) {
    Value source = moveInput(halo.getSource(), dim, scratch, trial);
    SmallVector<int64_t> order = moveLast(halo.getLow().size(), dim);
    auto moved = device::HaloOp::create(rewriter, op.getLoc(), source,
                                        permute(halo.getLow(), order),
                                        permute(halo.getHigh(), order));
    trial.all.push_back(moved);
    return moved;
  }
  auto type = cast<MemRefType>(input.getType());
  SmallVector<int64_t> order = moveLast(type.getRank(), dim);
  auto moved = MemRefType::get(permute(type.getShape(), order),
                               type.getElementType());
  Value buffer = scratch.allocate(rewriter, op.getLoc(), moved);
  auto copy = linalg::TransposeOp::create(rewriter, op.getLoc(), input, buffer,
                                          order);
  trial.all.append({buffer.getDefiningOp(), copy});
  trial.ops.push_back(cast<linalg::LinalgOp>(copy.getOperation()));
  return buffer;
}

/// Builds a buffer that holds the halo's zeros.
Value Packer::fillHalo(device::HaloOp halo, Scratch &scratch, Trial &trial) {
  Location location = op.getLoc();
  auto source = halo.getSource().getType();
  auto padded = MemRefType::get(halo.getResult().getType().getShape(),
                                source.getElementType());
  Value buffer = scratch.allocate(rewriter, location, padded);
  Value zero = arith::ConstantOp::create(
      rewriter, location, rewriter.getZeroAttr(source.getElementType()));
  auto start = linalg::FillOp::create(rewriter, location, zero, buffer);
  SmallVector<int64_t> ones(source.getRank(), 1);
  auto inside = memref::SubViewOp::create(rewriter, location, buffer,
                                          halo.getLow(), source.getShape(), ones);
  auto copy =
      linalg::CopyOp::create(rewriter, location, halo.getSource(), inside.getResult());
  trial.all.append({buffer.getDefiningOp(), zero.getDefiningOp(), start, inside, copy});
  trial.ops.push_back(cast<linalg::LinalgOp>(start.getOperation()));
  trial.ops.push_back(cast<linalg::LinalgOp>(copy.getOperation()));
  return buffer;
}

/// Builds and prices the contraction in another form.
std::optional<Trial> Packer::build(const Form &form) {
  rewriter.setInsertionPoint(op);
  Location location = op.getLoc();
  Trial trial;
  Scratch scratch(op);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    int64_t dim = form.moves[operand.getOperandNumber()];
    maps.push_back(map);
    operands.push_back(operand.get());
    if (auto halo = operand.get().getDefiningOp<device::HaloOp>();
        halo && form.fillsHalos)
      operands.back() = fillHalo(halo, scratch, trial);
    if (dim < 0)
      continue;
    SmallVector<int64_t> order = moveLast(map.getNumResults(), dim);
    maps.back() = AffineMap::get(map.getNumDims(), 0,
                                 permute(map.getResults(), order),
                                 op.getContext());
    if (!op.isDpsInit(&operand)) {
      operands.back() = moveInput(operands.back(), dim, scratch, trial);
      continue;
    }
    auto type = cast<MemRefType>(operand.get().getType());
    auto moved = MemRefType::get(permute(type.getShape(), order),
                                 type.getElementType());
    Value buffer = scratch.allocate(rewriter, location, moved);
    auto start =
        linalg::FillOp::create(rewriter, location, fill.getInputs(), buffer);
    trial.all.append({buffer.getDefiningOp(), start});
    operands.back() = buffer;
  }
  auto generic = linalg::GenericOp::create(
      rewriter, location, TypeRange(), ArrayRef(operands).drop_back(),
      operands.back(), maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  trial.all.push_back(generic);
  trial.ops.push_back(cast<linalg::LinalgOp>(generic.getOperation()));
  if (int64_t dim = form.moves.back(); dim >= 0) {
    SmallVector<int64_t> order = moveLast(maps.back().getNumResults(), dim);
    auto copy = linalg::TransposeOp::create(
        rewriter, location, operands.back(), op.getDpsInits()[0],
        invertPermutationVector(order));
    trial.all.push_back(copy);
    trial.ops.push_back(cast<linalg::LinalgOp>(copy.getOperation()));
  }
  trial.scratchBytes = scratch.getBytes();
  for (linalg::LinalgOp priced : trial.ops) {
    std::optional<double> cycles = priceKernel(priced, target);
    if (!cycles) {
      discard(trial);
      return std::nullopt;
    }
    trial.cycles += *cycles;
  }
  return trial;
}

void Packer::discard(Trial &trial) {
  for (Operation *built : llvm::reverse(trial.all))
    rewriter.eraseOp(built);
  trial = Trial();
}

/// Keeps a trial if it is the best one.
void Packer::consider(const Form &form) {
  std::optional<Trial> trial = build(form);
  if (!trial)
    return;
  if (trial->cycles >= limit || trial->scratchBytes > kMostScratchBytes)
    return discard(*trial);
  discard(best);
  limit = trial->cycles;
  best = std::move(*trial);
  bestForm = form;
}

SmallVector<const void *> Packer::getKey() {
  SmallVector<const void *> key{op.getIndexingMaps().getAsOpaquePointer(),
                                fill ? op.getContext() : nullptr};
  for (Value operand : op->getOperands()) {
    key.push_back(operand.getType().getAsOpaquePointer());
    auto halo = operand.getDefiningOp<device::HaloOp>();
    key.push_back(halo ? halo->getAttrDictionary().getAsOpaquePointer() : nullptr);
    key.push_back(halo ? halo.getSource().getType().getAsOpaquePointer() : nullptr);
  }
  return key;
}

void Packer::findBest() {
  if (std::optional<double> asItStands = priceKernel(op, target))
    limit = *asItStands * (1 - kLeastGain);
  bool hasHalo = llvm::any_of(op->getOperands(), [](Value operand) {
    return operand.getDefiningOp<device::HaloOp>();
  });
  if (hasHalo)
    consider({Moves(op->getNumOperands(), -1), true});
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    std::optional<Moves> moves = findMoves(loop);
    if (moves && getBound(loop, *moves) < limit)
      consider({*moves, false});
  }
}

int64_t Packer::run(KnownForms &known) {
  auto [form, isNew] = known.try_emplace(getKey());
  if (isNew) {
    findBest();
    form->second = bestForm;
  } else if (form->second) {
    consider(*form->second);
  }
  if (best.all.empty())
    return 0;
  // The output's own fill is needed only where the output did not move.
  bool outputMoved = isa<linalg::TransposeOp>(best.all.back());
  if (fill && outputMoved)
    rewriter.eraseOp(fill);
  rewriter.eraseOp(op);
  return best.scratchBytes;
}

void PackContractions::runOnOperation() {
  FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
  if (failed(target))
    return signalPassFailure();
  SmallVector<linalg::LinalgOp> ops;
  getOperation().walk([&](linalg::LinalgOp op) {
    if (succeeded(LinearNest::get(op)) && isContraction(op))
      ops.push_back(op);
  });
  KnownForms known;
  llvm::MapVector<Operation *, int64_t> scratch;
  for (linalg::LinalgOp op : ops) {
    Operation *module = op->getParentOfType<device::ModuleOp>();
    int64_t bytes = Packer(op, *target).run(known);
    if (module)
      scratch[module] = std::max(scratch[module], bytes);
  }
  for (auto [module, bytes] : scratch)
    reserveScratch(cast<device::ModuleOp>(module), "rearranged operands", bytes);
}
