// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the columns of a contraction whose last vector is mostly empty, such as 17 columns of which sixteen fill one
// vector:
//
//   c[i, j] += a[i, k] · b[k, j], j < 17
//     → c[i, j] += a[i, k] · b[k, j], j < 16;  c[i, 16] += a[i, k] · b[k, 16]
//
// The second part's lanes can run along the sum or along the rows: PackContractions, which comes next, finds its form.
// Both parts are built, their cycles are estimated in their best forms, and they are erased again unless they take
// fewer cycles than the original. Covered by split_columns.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/analysis/LinearNest.h"
#include "compiler/codegen/cpu/analysis/OpFacts.h"
#include "compiler/codegen/cpu/select/Packer.h"
#include "compiler/target/FindTarget.h"

#include "llvm/Support/MathExtras.h"

namespace plumb {
#define GEN_PASS_DEF_SPLITCOLUMNSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The fraction of lanes that the last vector of a row must leave empty.
constexpr double kMinEmpty = 0.1;
/// The relative gain from which on two parts are worth their code.
constexpr double kMinSaved = 0.05;

namespace {

/// Splits one contraction, if that saves cycles.
class ColumnSplitter {
public:
  ColumnSplitter(linalg::LinalgOp op, const CpuTarget &target, PackingChoices &choices)
      : op(op), target(target), choices(choices), rewriter(op.getContext()), fill(findInitialFill(op, 0)),
        lanes(target.lanes(getElementTypeOrSelf(op.getDpsInits()[0]).getIntOrFloatBitWidth())) {}

  void run();

private:
  std::optional<unsigned> findColumns();
  bool canPartition(OpOperand &operand, unsigned loop);
  Value view(OpOperand &operand, int64_t from, int64_t size);
  linalg::LinalgOp build(int64_t from, int64_t size);
  double getEpilogueCycles();
  bool buildParts();

  linalg::LinalgOp op;
  const CpuTarget &target;
  PackingChoices &choices;
  IRRewriter rewriter;
  linalg::FillOp fill;
  /// The loop along the columns.
  unsigned columns = 0;
  /// Lanes of a vector of results.
  int64_t lanes;
  SmallVector<Operation *> built;
};

struct SplitColumns : plumb::impl::SplitColumnsPassBase<SplitColumns> {
  using SplitColumnsPassBase::SplitColumnsPassBase;
  void runOnOperation() override;
};

} // namespace

/// The dimension of `operand` that depends on `loop`; -1 where there is none.
static int64_t findDim(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop))
      return dim;
  return -1;
}

/// Whether a range of the loop accesses one subview of `operand`, or all of it.
bool ColumnSplitter::canPartition(OpOperand &operand, unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  int64_t uses = llvm::count_if(map.getResults(), [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
  if (uses == 0)
    return true;
  return uses == 1 && isa<AffineDimExpr>(map.getResult(findDim(op, operand, loop))) &&
         !operand.get().getDefiningOp<device::HaloOp>();
}

/// The loop along which the result is contiguous, if its last vector is mostly empty.
std::optional<unsigned> ColumnSplitter::findColumns() {
  FailureOr<LinearNest> nest = LinearNest::read(op);
  if (failed(nest))
    return std::nullopt;
  for (unsigned loop = 0; loop < nest->loops(); ++loop) {
    int64_t size = nest->sizes[loop], rounded = llvm::alignTo(size, lanes);
    if (nest->stride(op.getNumDpsInputs(), loop) != 1 || size <= lanes || rounded - size < kMinEmpty * rounded)
      continue;
    if (llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) { return canPartition(operand, loop); }))
      return loop;
  }
  return std::nullopt;
}

/// The subview of an operand for `size` columns from `from` on.
Value ColumnSplitter::view(OpOperand &operand, int64_t from, int64_t size) {
  int64_t dim = findDim(op, operand, columns);
  if (dim < 0)
    return operand.get();
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape()), ones(type.getRank(), 1);
  offsets[dim] = from;
  sizes[dim] = size;
  auto part = memref::SubViewOp::create(rewriter, op.getLoc(), operand.get(), offsets, sizes, ones);
  built.push_back(part);
  return part;
}

/// Builds the contraction of `size` columns from `from` on, and its fill.
linalg::LinalgOp ColumnSplitter::build(int64_t from, int64_t size) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(view(operand, from, size));
  if (fill)
    built.push_back(linalg::FillOp::create(rewriter, op.getLoc(), fill.getInputs(), operands.back()));
  auto generic = linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(), ArrayRef(operands).drop_back(),
                                           operands.back(), op.getIndexingMapsArray(), op.getIteratorTypesArray());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  built.push_back(generic);
  return cast<linalg::LinalgOp>(generic.getOperation());
}

/// Cycles that the epilogue costs as a separate pass, since only the unsplit contraction can include it.
double ColumnSplitter::getEpilogueCycles() {
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  return target.machine.kernelCallCycles + target.machine.passCycles * type.getNumElements() / lanes;
}

/// Builds both parts. Returns whether they take fewer cycles than the original.
bool ColumnSplitter::buildParts() {
  rewriter.setInsertionPoint(op);
  int64_t size = op.getStaticLoopRanges()[columns], full = size - size % lanes;
  std::optional<double> before = Packer(op, target, choices).getCycles();
  double limit = before.value_or(0) * (1 - kMinSaved) - getEpilogueCycles();
  for (auto [from, count] : {std::pair{int64_t(0), full}, std::pair{full, size - full}}) {
    std::optional<double> cycles = Packer(build(from, count), target, choices).getCycles();
    limit -= cycles.value_or(std::numeric_limits<double>::infinity());
    if (limit < 0)
      return false;
  }
  return true;
}

void ColumnSplitter::run() {
  std::optional<unsigned> loop = findColumns();
  if (!loop)
    return;
  columns = *loop;
  if (!buildParts()) {
    for (Operation *each : llvm::reverse(built))
      rewriter.eraseOp(each);
    return;
  }
  rewriter.eraseOp(op);
  if (fill)
    rewriter.eraseOp(fill);
}

void SplitColumns::runOnOperation() {
  FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
  if (failed(target))
    return signalPassFailure();
  SmallVector<linalg::LinalgOp> ops;
  getOperation().walk([&](linalg::LinalgOp op) {
    if (op.hasPureBufferSemantics() && isContraction(op))
      ops.push_back(op);
  });
  // PackContractions reuses the forms that were found here.
  auto &choices = getAnalysis<PackingChoices>();
  markAnalysesPreserved<PackingChoices>();
  for (linalg::LinalgOp op : ops)
    ColumnSplitter(op, *target, choices).run();
}
