// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts large kernels into grains that several threads can run. What to cut and
// how fine is decided here, once and for every machine that runs the program,
// by the planner's prices; how many threads there are is not asked, so that
// results do not depend on it. Kernels that take less time than waking up the
// others is worth stay whole, and so do those whose data would move between cores
// for longer than a second thread saves: all kernels of a step are chosen for
// together (SharingModel.h), one after the other until nothing changes.
//
// A kernel of several operations is cut as one if all its operations can be cut
// alike, and otherwise taken apart behind copies and transposes, which stand in
// a kernel only because they lead up to the next operation. A sum with few results
// is cut along what it adds up. Covered by split_kernels.mlir.

#include "compiler/codegen/common/FindTarget.h"
#include "compiler/codegen/common/KernelDescription.h"
#include "compiler/codegen/cpu/BufferParts.h"
#include "compiler/codegen/cpu/GrainFunction.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/Scratch.h"
#include "compiler/codegen/cpu/SplitPricing.h"
#include "compiler/support/UsedValues.h"

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

/// How often all kernels are chosen for again.
constexpr int kMostRounds = 4;

namespace {

/// A kernel, its calls, and its pieces: a range of all there are.
struct Kernel {
  func::FuncOp function;
  SmallVector<func::CallOp> calls;
  SmallVector<linalg::LinalgOp> ops;
  unsigned begin = 0, end = 0;
};

/// Splits the kernels of one device module.
class Splitter {
public:
  Splitter(device::ModuleOp module, const CpuTarget &target)
      : module(module), symbols(module), target(target), model(target) {}

  void run();

private:
  using Calls = ArrayRef<func::CallOp>;
  using Choices = SmallVector<std::optional<unsigned>>;

  void findKernels();
  void findPieces(Kernel &kernel);
  void addAccesses();
  void addAccesses(const Kernel &kernel, func::CallOp call);
  void chooseAll();
  Choices improve(bool fromWhole, double &cycles);
  bool chooseFor(unsigned number);
  void setChoice(unsigned number, std::optional<unsigned> choice);

  func::FuncOp declareGrains(GrainFunction part, int64_t grains,
                             ValueRange arguments);
  void replace(Calls calls, GrainFunction part, int64_t grains,
               MemRefType partials = {});
  void replacePiece(func::FuncOp kernel, LinalgOps ops, const KernelSplit &split,
                    Calls calls);
  void replaceKernel(Kernel &kernel);

  device::ModuleOp module;
  SymbolTable symbols;
  const CpuTarget &target;
  SharingModel model;
  /// Pieces point into their kernels.
  SmallVector<Kernel, 0> kernels;
  SmallVector<KernelPiece, 0> pieces;
  int64_t scratchBytes = 0;
};

} // namespace

/// Parts of a kernel: behind each copy or transpose, a new one.
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

void Splitter::findKernels() {
  llvm::MapVector<func::FuncOp, SmallVector<func::CallOp>> found;
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) {
      if (auto kernel = symbols.lookup<func::FuncOp>(call.getCallee()))
        found[kernel].push_back(call);
    });
  for (auto &[function, calls] : found) {
    Kernel &kernel = kernels.emplace_back();
    kernel.function = function;
    kernel.calls = calls;
    if (!function.isDeclaration())
      llvm::append_range(kernel.ops, function.front().getOps<linalg::LinalgOp>());
  }
}

/// Whether the kernel has nothing but linalg operations on its arguments.
static bool canTakeApart(func::FuncOp kernel) {
  return !kernel.isDeclaration() && llvm::all_of(kernel.front(), [](Operation &op) {
    return isa<linalg::LinalgOp, device::HaloOp, memref::CollapseShapeOp,
               memref::ExpandShapeOp, func::ReturnOp>(op) ||
           op.hasTrait<OpTrait::ConstantLike>();
  });
}

/// The kernel as one piece, or as more if it cannot be cut as one.
void Splitter::findPieces(Kernel &kernel) {
  auto apart = [&](unsigned a, unsigned b) {
    return areApartInAll(kernel.calls, a, b);
  };
  kernel.begin = pieces.size();
  KernelPiece whole;
  whole.ops = kernel.ops;
  if (canTakeApart(kernel.function) && !kernel.ops.empty())
    whole = priceSplits(kernel.function, kernel.ops, apart, target);
  if (whole.splits.empty() && whole.alone > 0)
    for (LinalgOps ops : cutApart(kernel.ops))
      pieces.push_back(priceSplits(kernel.function, ops, apart, target));
  else
    pieces.push_back(whole);
  kernel.end = pieces.size();
}

/// What each piece touches, in its order.
void Splitter::addAccesses(const Kernel &kernel, func::CallOp call) {
  for (unsigned number = kernel.begin; number < kernel.end; ++number) {
    llvm::MapVector<unsigned, std::pair<bool, bool>> touched;
    for (linalg::LinalgOp op : pieces[number].ops)
      for (OpOperand &operand : op->getOpOperands())
        if (BlockArgument argument = getKernelArgument(operand.get());
            argument && isa<MemRefType>(argument.getType())) {
          auto &[reads, writes] = touched[argument.getArgNumber()];
          (op.isDpsInit(&operand) ? writes : reads) = true;
        }
    for (linalg::LinalgOp op : pieces[number].ops)
      for (Value buffer : getCapturedBuffers(op))
        if (BlockArgument argument = getKernelArgument(buffer))
          touched[argument.getArgNumber()].first = true;
    for (auto &[argument, kinds] : touched)
      model.addAccess(number, argument, call.getOperand(argument), kinds.first,
                      kinds.second);
  }
}

void Splitter::addAccesses() {
  llvm::DenseMap<Operation *, Kernel *> byFunction;
  for (Kernel &kernel : kernels)
    byFunction[kernel.function] = &kernel;
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) {
      if (auto kernel = symbols.lookup<func::FuncOp>(call.getCallee()))
        addAccesses(*byFunction.lookup(kernel), call);
    });
}

void Splitter::setChoice(unsigned number, std::optional<unsigned> choice) {
  pieces[number].choice = choice;
  model.setShares(number, pieces[number].getShares(choice));
}

/// Chooses for one piece while all others are as they are; whether that changed
/// anything.
bool Splitter::chooseFor(unsigned number) {
  KernelPiece &piece = pieces[number];
  std::optional<unsigned> before = piece.choice, best;
  double least = 0;
  for (unsigned next = 0; next <= piece.splits.size(); ++next) {
    auto choice = next == 0 ? std::nullopt : std::optional<unsigned>(next - 1);
    setChoice(number, choice);
    double cycles = piece.getTime(choice) + model.price(number);
    if (next != 0 && cycles >= least)
      continue;
    least = cycles;
    best = choice;
  }
  setChoice(number, best);
  return best != before;
}

/// What is chosen, and for how many cycles, if all pieces are whole at first, or as
/// fast as they are by themselves.
Splitter::Choices Splitter::improve(bool fromWhole, double &cycles) {
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    std::optional<unsigned> best;
    for (unsigned next = 0; !fromWhole && next < piece.splits.size(); ++next)
      if (piece.getTime(next) < piece.getTime(best))
        best = next;
    setChoice(number, best);
  }
  bool changed = true;
  for (int round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (unsigned number = 0; number < pieces.size(); ++number)
      if (!pieces[number].splits.empty())
        changed |= chooseFor(number);
  }
  cycles = model.price();
  Choices choices;
  for (const KernelPiece &piece : pieces) {
    cycles += piece.getTime(piece.choice);
    choices.push_back(piece.choice);
  }
  return choices;
}

void Splitter::chooseAll() {
  double cyclesFromWhole, cyclesFromFast;
  Choices fromWhole = improve(true, cyclesFromWhole);
  Choices fromFast = improve(false, cyclesFromFast);
  if (cyclesFromWhole <= cyclesFromFast)
    for (auto [number, choice] : llvm::enumerate(fromWhole))
      setChoice(number, choice);
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
void Splitter::replace(Calls calls, GrainFunction part, int64_t grains,
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
                            const KernelSplit &split, Calls calls) {
  GrainFunction part = buildGrainFunction(kernel, ops, split);
  LinalgOps own = split.sum ? ops.slice(*split.sum, 1) : ops;
  if (own.size() != llvm::range_size(kernel.front().getOps<linalg::LinalgOp>())) {
    GrainFunction whole = buildGrainFunction(kernel, own, KernelSplit());
    describe(part.function, whole.function);
    whole.function.erase();
  }
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

/// Puts functions of the pieces in the kernel's place, if any of them is cut.
void Splitter::replaceKernel(Kernel &kernel) {
  auto own = ArrayRef(pieces).slice(kernel.begin, kernel.end - kernel.begin);
  if (llvm::none_of(own, [](const KernelPiece &piece) { return piece.choice.has_value(); }))
    return;
  symbols.remove(kernel.function);
  for (const KernelPiece &piece : own)
    replacePiece(kernel.function, piece.ops,
                 piece.choice ? piece.splits[*piece.choice].split : KernelSplit(),
                 kernel.calls);
  for (func::CallOp call : kernel.calls)
    call.erase();
  kernel.function.erase();
}

void Splitter::run() {
  findKernels();
  for (Kernel &kernel : kernels)
    findPieces(kernel);
  addAccesses();
  chooseAll();
  for (Kernel &kernel : kernels)
    replaceKernel(kernel);
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
