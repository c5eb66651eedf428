// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts large kernels into grains that several threads can run. What to cut and
// how fine is decided here, once and for every machine that runs the program,
// by the planner's prices; how many threads there are is not asked, so that
// results do not depend on it. Kernels that take less time than waking up the
// others is worth stay whole.
//
// A kernel of several operations is cut as one if all its operations can be cut
// alike, and otherwise taken apart behind copies and transposes, which stand in
// a kernel only because they lead up to the next operation. A sum with few results
// is cut along what it adds up. Covered by split_kernels.mlir.

#include "compiler/codegen/common/KernelDescription.h"
#include "compiler/codegen/common/Places.h"
#include "compiler/codegen/cpu/GrainFunction.h"
#include "compiler/codegen/cpu/KernelPlanner.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/Scratch.h"
#include "compiler/codegen/cpu/VectorBody.h"
#include "compiler/codegen/cpu/VectorizeModule.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "plumb-split-kernels"

namespace plumb {
#define GEN_PASS_DEF_SPLITKERNELSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Kernels below this many cycles stay whole, as going on to the next stage takes
/// these.
constexpr double kLeastKernel = 6000, kStageCycles = 700;
/// More than two grains are not smaller than that: what is held in registers, and
/// in the nearest cache, serves less work in a small one.
constexpr double kGoodGrain = 50000;
/// Part of its time on one thread that a kernel may take on two.
constexpr double kLeastGain = 0.85;
/// Cycles of a grain's call, and what cutting may cost one thread.
constexpr double kGrainCycles = 60;
constexpr double kMostLoss = 1.04;
constexpr int64_t kMostGrains = 32;
/// Bytes that a core moves in a cycle when data come from its second cache, and when
/// they come from farther away.
constexpr double kBytesPerCycle = 16, kFarBytesPerCycle = 5;
/// Bytes that are moved for nothing beside each stretch of memory that is used.
constexpr double kApartBytes = 192;
constexpr int64_t kLineBytes = 64;
/// Cycles until a core has a line that another core has just written.
constexpr double kLineCycles = 20;
/// Vectors of which one may be not full.
constexpr int64_t kManyVectors = 8;
/// What eight threads count beside two.
constexpr double kManyThreads = 0.15;
/// Cuts that are priced for one kernel, and for one of its loops.
constexpr unsigned kMostCandidates = 12, kMostOfLoop = 4;

/// Splits the kernels of one device module.
class Splitter {
public:
  Splitter(device::ModuleOp module, const CpuTarget &target)
      : module(module), symbols(module), target(target) {}

  void run();

private:
  using Calls = SmallVector<func::CallOp>;

  void splitKernel(func::FuncOp kernel, const Calls &calls);
  std::optional<KernelSplit> choose(func::FuncOp kernel, LinalgOps ops,
                                    const Calls &calls);
  SmallVector<KernelSplit> findCandidates(LinalgOps ops, const Calls &calls);
  func::FuncOp declareGrains(GrainFunction part, int64_t grains,
                             ValueRange arguments);
  bool breaksLanes(linalg::LinalgOp op, unsigned loop, int64_t length);
  void replace(const Calls &calls, GrainFunction part, int64_t grains,
               MemRefType partials = {});
  double priceRest(func::FuncOp kernel, LinalgOps ops, const KernelSplit &split);
  void replacePiece(func::FuncOp kernel, LinalgOps ops, const KernelSplit &split,
                    const Calls &calls);
  double estimate(LinalgOps ops);
  double estimate(linalg::LinalgOp op);
  double price(func::FuncOp function);

  device::ModuleOp module;
  SymbolTable symbols;
  const CpuTarget &target;
  int64_t scratchBytes = 0;
  /// Of what the operations in hand touch as a whole.
  double bytesPerCycle = kBytesPerCycle;
};

} // namespace

/// Bytes of `type`, more where they lie apart: whole lines are moved, and the more of
/// them for nothing the shorter what follows each other is.
static double getMovedBytes(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, run = 1, bytes = device::getByteSize(type);
  if (type.getLayout().isIdentity() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return bytes;
  for (unsigned dim = type.getRank(); dim-- > 0 && strides[dim] == run;)
    run *= type.getDimSize(dim);
  double runBytes = double(bytes) * run / type.getNumElements();
  return run == type.getNumElements() ? bytes
                                      : bytes * (1 + kApartBytes / runBytes);
}

/// How fast what `ops` touch comes to a core.
static double getBytesPerCycle(LinalgOps ops, const CpuTarget &target) {
  SmallVector<Value> buffers;
  int64_t bytes = 0;
  for (linalg::LinalgOp op : ops)
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) &&
          !llvm::is_contained(buffers, operand)) {
        buffers.push_back(operand);
        bytes += device::getByteSize(cast<MemRefType>(operand.getType()));
      }
  const CacheLevel &cache = target.caches.back();
  return bytes > kLineBytes * cache.sets * cache.ways ? kFarBytesPerCycle
                                              : kBytesPerCycle;
}

/// Cycles of `op` on one core if nothing goes wrong.
double Splitter::estimate(linalg::LinalgOp op) {
  double iterations = 1, bytes = 0;
  for (int64_t size : op.getStaticLoopRanges())
    iterations *= size;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      bytes += getMovedBytes(type);
  double operations = std::max<int64_t>(1, VectorBody::countOperations(op));
  return std::max(iterations * operations / (2 * target.lanes(32)),
                  bytes / bytesPerCycle);
}

double Splitter::estimate(LinalgOps ops) {
  double cycles = 0;
  for (linalg::LinalgOp op : ops)
    cycles += estimate(op);
  return cycles;
}

/// Cycles of all operations of a function as they would be emitted.
double Splitter::price(func::FuncOp function) {
  double cycles = 0;
  function.walk([&](linalg::LinalgOp op) {
    FailureOr<LinearNest> nest = LinearNest::get(op);
    FailureOr<PricedPlan> plan = failure();
    if (succeeded(nest))
      plan = planKernel(op, *nest, target);
    double memory = estimate(op);
    cycles += succeeded(plan) ? std::max(plan->cycles, memory) : 8 * memory;
  });
  return cycles;
}

/// What is lost to threads that wait for the last ones: time of the whole over
/// that of an even share.
static double getImbalance(int64_t grains, int64_t threads) {
  return double(llvm::divideCeil(grains, threads) * threads) / grains;
}

/// Cycles until each of two threads has what both read: half of its lines are where
/// the other one has left them.
static double getSharedCycles(const GrainFunction &part, const CpuTarget &target) {
  const CacheLevel &cache = target.caches.back();
  double lines = 0;
  func::FuncOp function = part.function;
  for (auto [argument, step] : llvm::zip_equal(function.getArguments(), part.steps))
    if (auto type = dyn_cast<MemRefType>(argument.getType()); type && step == 0)
      lines += double(device::getByteSize(type)) / kLineBytes;
  return std::min<double>(lines, cache.sets * cache.ways) / 2 * kLineCycles;
}

/// Whether a cut of `loop` into ranges of `length` would leave vectors along it
/// that are not full, and more than a few of them.
bool Splitter::breaksLanes(linalg::LinalgOp op, unsigned loop, int64_t length) {
  auto along = getAffineDimExpr(loop, op.getContext());
  return length % target.lanes(32) != 0 &&
         length < kManyVectors * target.lanes(32) &&
         llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
           AffineMap map = op.getMatchingIndexingMap(&output);
           return map.getNumResults() != 0 &&
                  map.getResult(map.getNumResults() - 1) == along;
         });
}

/// Legal cuts of `ops`, coarse ones along outer loops first: they keep a thread's
/// data together and the planner's tiles whole.
SmallVector<KernelSplit> Splitter::findCandidates(LinalgOps ops,
                                                  const Calls &calls) {
  unsigned main = 0;
  for (unsigned i = 1; i < ops.size(); ++i)
    if (estimate(ops[i]) > estimate(ops[main]))
      main = i;
  auto apart = [&](unsigned a, unsigned b) {
    return llvm::all_of(calls, [&](func::CallOp call) {
      return areApart(call.getOperand(a), call.getOperand(b));
    });
  };
  linalg::LinalgOp op = ops[main];
  double cycles = estimate(ops);
  SmallVector<std::pair<double, KernelSplit>> found;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    double most = std::clamp<double>(cycles / kGoodGrain, 2, kMostGrains);
    size_t before = found.size();
    for (int64_t grains = 2; grains <= std::min<double>(most, size) &&
                             found.size() < before + kMostOfLoop;
         ++grains) {
      if (size % grains != 0 || breaksLanes(op, loop, size / grains))
        continue;
      auto split = splitAlong(ops, main, loop, grains, apart);
      if (failed(split))
        split = splitSum(ops, main, loop, grains);
      if (succeeded(split))
        found.push_back({getImbalance(grains, 2) + 0.02 * loop, *split});
    }
  }
  llvm::stable_sort(found, [](const auto &a, const auto &b) {
    return a.first < b.first;
  });
  if (found.size() > kMostCandidates)
    found.resize(kMostCandidates);
  return llvm::map_to_vector(found, [](const auto &pair) { return pair.second; });
}

/// Cycles of what is left to one thread behind the grains of a sum.
double Splitter::priceRest(func::FuncOp kernel, LinalgOps ops,
                           const KernelSplit &split) {
  GrainFunction rest = buildSumFunction(kernel, ops, split);
  double cycles = price(rest.function) + kStageCycles;
  rest.function.erase();
  return cycles;
}

/// The cut that is done first, if it beats the whole kernel on one thread by
/// enough when there are two. One thread must not pay for the others.
std::optional<KernelSplit> Splitter::choose(func::FuncOp kernel, LinalgOps ops,
                                            const Calls &calls) {
  bytesPerCycle = getBytesPerCycle(ops, target);
  if (estimate(ops) < kLeastKernel)
    return std::nullopt;
  GrainFunction whole = buildGrainFunction(kernel, ops, KernelSplit());
  double best = 0, alone = price(whole.function);
  whole.function.erase();
  std::optional<KernelSplit> choice;
  for (const KernelSplit &split : findCandidates(ops, calls)) {
    GrainFunction part = buildGrainFunction(kernel, ops, split);
    double cycles = (price(part.function) + kGrainCycles) * split.grains;
    double rest = split.sum ? priceRest(kernel, ops, split) : 0;
    double shared = rest + getSharedCycles(part, target);
    part.function.erase();
    double two = cycles * getImbalance(split.grains, 2) / 2 + shared;
    if (cycles + rest > kMostLoss * alone || two > kLeastGain * alone)
      continue;
    double many = cycles * getImbalance(split.grains, 8) / 8 + shared;
    double time = two + kManyThreads * many;
    if (choice && time >= best)
      continue;
    best = time;
    choice = split;
  }
  return choice;
}

/// Pieces of a kernel: behind each copy or transpose, a new one.
static SmallVector<LinalgOps> cutApart(LinalgOps ops) {
  SmallVector<LinalgOps> pieces;
  size_t begin = 0;
  for (size_t end = 1; end <= ops.size(); ++end) {
    bool isLast = end == ops.size();
    if (!isLast && !isa<linalg::CopyOp, linalg::TransposeOp>(ops[end - 1]) &&
        !isa<linalg::CopyOp, linalg::TransposeOp>(ops[end]))
      continue;
    pieces.push_back(ops.slice(begin, end - begin));
    begin = end;
  }
  return pieces;
}

/// The declaration that stands for all grains of `part` together.
func::FuncOp Splitter::declareGrains(GrainFunction part, int64_t grains,
                                     ValueRange arguments) {
  std::string name = (part.function.getName() + "_in_grains").str();
  if (auto declared = module.lookupSymbol<func::FuncOp>(name))
    return declared;
  OpBuilder builder(part.function);
  auto type = builder.getFunctionType(arguments.getTypes(), {});
  auto function =
      func::FuncOp::create(builder, part.function.getLoc(), name, type);
  function.setPrivate();
  function->setAttr("device.part", FlatSymbolRefAttr::get(part.function));
  function->setAttr("device.grains", builder.getI64IntegerAttr(grains));
  function->setAttr("device.steps", builder.getDenseI64ArrayAttr(part.steps));
  return function;
}

/// Calls `part` wherever the whole kernel was called, with scratch memory for the
/// partial results of a sum.
void Splitter::replace(const Calls &calls, GrainFunction part, int64_t grains,
                       MemRefType partials) {
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    Scratch scratch(call);
    SmallVector<Value> arguments;
    for (unsigned number : part.arguments)
      arguments.push_back(
          number < call.getNumOperands()
              ? call.getOperand(number)
              : scratch.allocate(builder, call.getLoc(), partials));
    scratchBytes = std::max(scratchBytes, scratch.getBytes());
    func::FuncOp callee =
        grains == 0 ? part.function : declareGrains(part, grains, arguments);
    func::CallOp::create(builder, call.getLoc(), callee, arguments);
  }
}

/// Lets the note on `part` say what `whole`, of which it is a grain, is and costs.
static void describe(func::FuncOp part, func::FuncOp whole) {
  auto note = part->getAttrOfType<DictionaryAttr>("device.kernel");
  if (!note)
    return;
  KernelDescription kernel = describeKernel(whole);
  Builder builder(part.getContext());
  NamedAttrList entries(note);
  entries.set("flops", builder.getI64IntegerAttr(kernel.flops));
  entries.set("read", builder.getI64IntegerAttr(kernel.bytesRead));
  entries.set("written", builder.getI64IntegerAttr(kernel.bytesWritten));
  part->setAttr("device.kernel", entries.getDictionary(part.getContext()));
  if (!kernel.name.empty())
    part.setName(kernel.name);
}

/// Puts functions for `ops` in the place of `kernel`, of which they are all or a piece.
void Splitter::replacePiece(func::FuncOp kernel, LinalgOps ops,
                            const KernelSplit &split, const Calls &calls) {
  GrainFunction part = buildGrainFunction(kernel, ops, split);
  GrainFunction whole = buildGrainFunction(kernel, ops, KernelSplit());
  describe(part.function, whole.function);
  whole.function.erase();
  symbols.insert(part.function);
  if (!split.sum)
    return replace(calls, part, split.grains);
  MemRefType partials = getPartialsType(ops, split);
  replace(calls, part, split.grains, partials);
  GrainFunction rest = buildSumFunction(kernel, ops, split);
  describe(rest.function, rest.function);
  symbols.insert(rest.function);
  replace(calls, rest, 0, partials);
}

void Splitter::splitKernel(func::FuncOp kernel, const Calls &calls) {
  SmallVector<linalg::LinalgOp> ops(kernel.front().getOps<linalg::LinalgOp>());
  if (ops.empty())
    return;
  for (Operation &op : kernel.front())
    if (!isa<linalg::LinalgOp, device::HaloOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp, func::ReturnOp>(op) &&
        !op.hasTrait<OpTrait::ConstantLike>())
      return;
  SmallVector<LinalgOps> pieces{ops};
  SmallVector<std::optional<KernelSplit>> splits{choose(kernel, ops, calls)};
  if (!splits[0]) {
    pieces = cutApart(ops);
    splits.clear();
    for (LinalgOps piece : pieces)
      splits.push_back(choose(kernel, piece, calls));
  }
  if (llvm::none_of(splits, [](const auto &split) { return split.has_value(); }))
    return;
  symbols.remove(kernel);
  for (auto [piece, split] : llvm::zip_equal(pieces, splits))
    replacePiece(kernel, piece, split.value_or(KernelSplit()), calls);
  for (func::CallOp call : calls)
    call.erase();
  kernel.erase();
}

void Splitter::run() {
  llvm::MapVector<func::FuncOp, Calls> kernels;
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) {
      if (auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee()))
        kernels[kernel].push_back(call);
    });
  for (auto &[kernel, calls] : kernels)
    splitKernel(kernel, calls);
  reserveScratch(module, "partial sums", scratchBytes);
}

namespace {
struct SplitKernels : plumb::impl::SplitKernelsPassBase<SplitKernels> {
  using SplitKernelsPassBase::SplitKernelsPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    for (auto module : getOperation().getOps<device::ModuleOp>())
      Splitter(module, *target).run();
  }
};
} // namespace
