// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds a contraction's forms, estimates their cycles, and keeps the best one.

#include "compiler/codegen/cpu/select/Packer.h"

#include "compiler/codegen/cpu/select/KernelPlanner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// The relative gain from which on a rearrangement is worth its code.
constexpr double kMinGain = 0.12;
/// Copies of more than 16 MiB must make a kernel twice as fast, as the step needs that much memory more; 1 GiB is the
/// most.
constexpr int64_t kSmallScratchBytes = int64_t(1) << 24;
constexpr int64_t kMaxScratchBytes = int64_t(1) << 30;
constexpr double kLargeScratchGain = 2;

Packer::Packer(linalg::LinalgOp op, const CpuTarget &target, PackingChoices &choices)
    : op(op), target(target), choices(choices), rewriter(op.getContext()), fill(findInitialFill(op, 0)) {}

/// `dim` last, the others in their order.
static SmallVector<int64_t> moveLast(int64_t rank, int64_t dim) {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      order.push_back(i);
  order.push_back(dim);
  return order;
}

template <typename T> static SmallVector<T> permute(ArrayRef<T> values, ArrayRef<int64_t> order) {
  SmallVector<T> result;
  for (int64_t i : order)
    result.push_back(values[i]);
  return result;
}

/// By operand, the dimension that must move for `loop` to be innermost. Nothing where an operand's index combines the
/// loop with others.
std::optional<PackingMoves> Packer::findMoves(unsigned loop) {
  PackingMoves moves;
  bool movesAny = false;
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
    movesAny |= found >= 0 && !isLast;
    moves.push_back(isLast ? -1 : found);
  }
  if (!movesAny)
    return std::nullopt;
  return moves;
}

/// A lower bound of the cycles of arithmetic with full tiles, and of the copies.
double Packer::getBound(unsigned loop, const PackingMoves &moves) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t lanes = std::min<int64_t>(target.lanes(32), llvm::PowerOf2Ceil(sizes[loop]));
  double vectors = llvm::divideCeil(sizes[loop], lanes);
  for (auto [number, size] : llvm::enumerate(sizes))
    vectors *= number == loop ? 1 : size;
  double copies = 0;
  for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), moves))
    if (dim >= 0)
      copies += cast<MemRefType>(operand.getType()).getNumElements();
  return vectors / target.machine.fmasPerCycle + copies * target.machine.minCopyCycles;
}

/// Builds the copy of one input. A halo's padding is permuted with it.
Value Packer::moveInput(Value input, int64_t dim, Scratch &scratch, Trial &trial) {
  if (auto halo = input.getDefiningOp<device::HaloOp>()) {
    Value source = moveInput(halo.getSource(), dim, scratch, trial);
    SmallVector<int64_t> order = moveLast(halo.getLow().size(), dim);
    auto moved = device::HaloOp::create(rewriter, op.getLoc(), source, permute(halo.getLow(), order),
                                        permute(halo.getHigh(), order));
    trial.all.push_back(moved);
    return moved;
  }
  auto type = cast<MemRefType>(input.getType());
  SmallVector<int64_t> order = moveLast(type.getRank(), dim);
  auto moved = MemRefType::get(permute(type.getShape(), order), type.getElementType());
  Value buffer = scratch.allocate(rewriter, op.getLoc(), moved);
  auto copy = linalg::TransposeOp::create(rewriter, op.getLoc(), input, buffer, order);
  trial.all.append({buffer.getDefiningOp(), copy});
  trial.ops.push_back(cast<linalg::LinalgOp>(copy.getOperation()));
  return buffer;
}

/// Builds a padded copy of a halo's source.
Value Packer::fillHalo(device::HaloOp halo, Scratch &scratch, Trial &trial) {
  Location location = op.getLoc();
  auto source = halo.getSource().getType();
  auto padded = MemRefType::get(halo.getResult().getType().getShape(), source.getElementType());
  Value buffer = scratch.allocate(rewriter, location, padded);
  Value zero = arith::ConstantOp::create(rewriter, location, rewriter.getZeroAttr(source.getElementType()));
  auto start = linalg::FillOp::create(rewriter, location, zero, buffer);
  SmallVector<int64_t> ones(source.getRank(), 1);
  auto inside = memref::SubViewOp::create(rewriter, location, buffer, halo.getLow(), source.getShape(), ones);
  auto copy = linalg::CopyOp::create(rewriter, location, halo.getSource(), inside.getResult());
  trial.all.append({buffer.getDefiningOp(), zero.getDefiningOp(), start, inside, copy});
  trial.ops.push_back(cast<linalg::LinalgOp>(start.getOperation()));
  trial.ops.push_back(cast<linalg::LinalgOp>(copy.getOperation()));
  return buffer;
}

/// Builds the buffer of an output that is rearranged, with the contraction's first value.
Value Packer::moveOutput(int64_t dim, Scratch &scratch, Trial &trial) {
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  SmallVector<int64_t> order = moveLast(type.getRank(), dim);
  auto moved = MemRefType::get(permute(type.getShape(), order), type.getElementType());
  Value buffer = scratch.allocate(rewriter, op.getLoc(), moved);
  auto start = linalg::FillOp::create(rewriter, op.getLoc(), fill.getInputs(), buffer);
  trial.all.append({buffer.getDefiningOp(), start});
  return buffer;
}

/// Copies an output that was rearranged to where it belongs.
void Packer::moveOutputBack(Value buffer, int64_t dim, Trial &trial) {
  SmallVector<int64_t> order = moveLast(cast<MemRefType>(buffer.getType()).getRank(), dim);
  auto copy =
      linalg::TransposeOp::create(rewriter, op.getLoc(), buffer, op.getDpsInits()[0], invertPermutationVector(order));
  trial.all.push_back(copy);
  trial.ops.push_back(cast<linalg::LinalgOp>(copy.getOperation()));
}

/// An operand as the contraction accesses it in another form.
Value Packer::rearrange(OpOperand &operand, const PackingForm &form, Scratch &scratch, Trial &trial) {
  Value value = operand.get();
  if (auto halo = value.getDefiningOp<device::HaloOp>(); halo && form.fillsHalos)
    value = fillHalo(halo, scratch, trial);
  int64_t dim = form.moves[operand.getOperandNumber()];
  if (dim < 0)
    return value;
  return op.isDpsInit(&operand) ? moveOutput(dim, scratch, trial) : moveInput(value, dim, scratch, trial);
}

/// Builds the contraction itself on rearranged operands.
void Packer::buildContraction(ArrayRef<Value> operands, const PackingForm &form, Trial &trial) {
  SmallVector<AffineMap> maps;
  for (auto [map, dim] : llvm::zip_equal(op.getIndexingMapsArray(), form.moves)) {
    maps.push_back(map);
    if (dim >= 0)
      maps.back() = AffineMap::get(map.getNumDims(), 0, permute(map.getResults(), moveLast(map.getNumResults(), dim)),
                                   op.getContext());
  }
  auto generic = linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(), operands.drop_back(), operands.back(),
                                           maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  trial.all.push_back(generic);
  trial.ops.push_back(cast<linalg::LinalgOp>(generic.getOperation()));
}

/// Adds up the cycles of a form; fails where no vector code can be emitted for a part of it.
LogicalResult Packer::estimate(Trial &trial) const {
  for (linalg::LinalgOp costed : trial.ops) {
    std::optional<double> cycles = estimateKernelCycles(costed, target);
    if (!cycles)
      return failure();
    trial.cycles += *cycles;
  }
  return success();
}

/// Builds the contraction in another form and estimates its cycles.
std::optional<Packer::Trial> Packer::build(const PackingForm &form) {
  rewriter.setInsertionPoint(op);
  Trial trial;
  Scratch scratch(op);
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(rearrange(operand, form, scratch, trial));
  buildContraction(operands, form, trial);
  if (int64_t dim = form.moves.back(); dim >= 0)
    moveOutputBack(operands.back(), dim, trial);
  trial.scratchBytes = scratch.getBytes();
  if (succeeded(estimate(trial)))
    return trial;
  discard(trial);
  return std::nullopt;
}

void Packer::discard(Trial &trial) {
  for (Operation *built : llvm::reverse(trial.all))
    rewriter.eraseOp(built);
  trial = Trial();
}

/// Whether the gain is worth the memory. Without vector code for the original form, any form is.
bool Packer::deservesScratch(const Trial &trial) const {
  if (trial.scratchBytes <= kSmallScratchBytes)
    return true;
  return trial.scratchBytes <= kMaxScratchBytes && (!plain || trial.cycles * kLargeScratchGain <= *plain);
}

/// Keeps a form if it is the best one so far.
void Packer::consider(const PackingForm &form) {
  std::optional<Trial> trial = build(form);
  if (!trial)
    return;
  if (trial->cycles >= limit || !deservesScratch(*trial))
    return discard(*trial);
  discard(best);
  limit = trial->cycles;
  best = std::move(*trial);
  bestForm = form;
}

SmallVector<const void *> Packer::getKey() {
  SmallVector<const void *> key{op.getIndexingMaps().getAsOpaquePointer(), fill ? op.getContext() : nullptr};
  for (Value operand : op->getOperands()) {
    key.push_back(operand.getType().getAsOpaquePointer());
    auto halo = operand.getDefiningOp<device::HaloOp>();
    key.push_back(halo ? halo->getAttrDictionary().getAsOpaquePointer() : nullptr);
    key.push_back(halo ? halo.getSource().getType().getAsOpaquePointer() : nullptr);
  }
  return key;
}

void Packer::findBest() {
  plain = estimateKernelCycles(op, target);
  if (plain)
    limit = *plain * (1 - kMinGain);
  bool hasHalo = llvm::any_of(op->getOperands(), [](Value operand) { return operand.getDefiningOp<device::HaloOp>(); });
  if (hasHalo)
    consider({PackingMoves(op->getNumOperands(), -1), true});
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    std::optional<PackingMoves> moves = findMoves(loop);
    if (moves && getBound(loop, *moves) < limit)
      consider({*moves, false});
  }
}

/// The best form. Its operations exist only where the form was not known before.
const PackingChoice &Packer::choose() {
  auto [choice, isNew] = choices.known.try_emplace(getKey());
  if (isNew) {
    findBest();
    choice->second = {bestForm, best.all.empty() ? plain : best.cycles};
  }
  return choice->second;
}

std::optional<double> Packer::getCycles() {
  std::optional<double> cycles = choose().cycles;
  discard(best);
  return cycles;
}

int64_t Packer::run() {
  const PackingChoice &choice = choose();
  if (best.all.empty() && choice.form)
    consider(*choice.form);
  if (best.all.empty())
    return 0;
  // The original output is filled only where the output was not moved.
  bool outputMoved = isa<linalg::TransposeOp>(best.all.back());
  if (fill && outputMoved)
    rewriter.eraseOp(fill);
  rewriter.eraseOp(op);
  return best.scratchBytes;
}
