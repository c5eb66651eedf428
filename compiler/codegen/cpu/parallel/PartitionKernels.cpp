// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partitions large kernels into chunks that several threads can run. The compiler chooses the partition once, by
// estimated cycles, for every machine that runs the program: the number of threads plays no role, so results do not
// depend on it. Kernels shorter than a barrier is worth stay on one thread, and so do those whose data would move
// between cores for longer than a second thread saves. The choices of a step's kernels depend on each other
// (SharingModel.h): the pass changes one after the other until nothing improves.
//
// A kernel of several operations is partitioned as one if all its operations allow the same chunks; otherwise it is
// split behind copies and transposes, which only prepare the next operation. A sum with few results is partitioned
// along its reduction. Covered by partition_kernels.mlir.

#include "compiler/codegen/common/KernelDescription.h"
#include "compiler/codegen/common/Scratch.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/parallel/ChunkFunction.h"
#include "compiler/codegen/cpu/parallel/ChunkOperands.h"
#include "compiler/codegen/cpu/parallel/PartitionCost.h"
#include "compiler/support/UsedValues.h"
#include "compiler/target/FindTarget.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {
#define GEN_PASS_DEF_PARTITIONKERNELSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Rounds of choices over all kernels.
constexpr int kMaxRounds = 4;

namespace {

/// A kernel, its calls, and the range of its sections among all sections.
struct Kernel {
  func::FuncOp function;
  SmallVector<func::CallOp> calls;
  SmallVector<linalg::LinalgOp> ops;
  unsigned begin = 0, end = 0;
};

/// Partitions the kernels of one device module.
class Partitioner {
public:
  Partitioner(device::ModuleOp module, const CpuTarget &target)
      : module(module), symbols(module), target(target), model(target) {}

  void run();

private:
  using Calls = ArrayRef<func::CallOp>;
  using Choices = SmallVector<std::optional<unsigned>>;

  void findKernels();
  void findSections(Kernel &kernel);
  void addAccesses();
  void addAccesses(const Kernel &kernel, func::CallOp call);
  void chooseAll();
  Choices improve(bool fromWhole, double &cycles);
  bool chooseFor(unsigned number);
  void setChoice(unsigned number, std::optional<unsigned> choice);

  func::FuncOp declareChunks(ChunkFunction part, int64_t chunks, ValueRange arguments);
  void replace(Calls calls, ChunkFunction part, int64_t chunks, MemRefType partials = {});
  void replaceSection(func::FuncOp kernel, LinalgOps ops, const KernelPartition &partition, Calls calls);
  void replaceKernel(Kernel &kernel);

  device::ModuleOp module;
  SymbolTable symbols;
  const CpuTarget &target;
  SharingModel model;
  /// Sections refer to operations of these.
  SmallVector<Kernel, 0> kernels;
  SmallVector<KernelSection, 0> sections;
  int64_t scratchBytes = 0;
};

} // namespace

/// Divides a kernel's operations before and after each copy or transpose.
static SmallVector<LinalgOps> splitAtCopies(LinalgOps ops) {
  SmallVector<LinalgOps> sections;
  size_t begin = 0;
  for (size_t end = 1; end <= ops.size(); ++end) {
    bool isLast = end == ops.size();
    if (!isLast && !isa<linalg::CopyOp, linalg::TransposeOp>(ops[end - 1]) &&
        !isa<linalg::CopyOp, linalg::TransposeOp>(ops[end]))
      continue;
    sections.push_back(ops.slice(begin, end - begin));
    begin = end;
  }
  return sections;
}

void Partitioner::findKernels() {
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

/// Whether the kernel consists of linalg operations on its arguments.
static bool canSplit(func::FuncOp kernel) {
  return !kernel.isDeclaration() && llvm::all_of(kernel.front(), [](Operation &op) {
    return isa<linalg::LinalgOp, device::HaloOp, memref::CollapseShapeOp, memref::ExpandShapeOp, func::ReturnOp>(op) ||
           op.hasTrait<OpTrait::ConstantLike>();
  });
}

/// Says of operations with plans that they run on one thread because of these.
static void reportPlanned(const KernelSection &section) {
  for (linalg::LinalgOp op : section.ops)
    if (section.alone > 0 && op->hasAttr(kernel::kPlanName))
      remark::missed(op.getLoc(), remark::RemarkOpts::name("Partition").category("plan"))
          << (op->getName().getStringRef() + ": not partitioned, as its plan is written for all iterations").str();
}

/// The kernel as one section, or as several if it cannot be partitioned as one.
void Partitioner::findSections(Kernel &kernel) {
  auto cannotAlias = [&](unsigned a, unsigned b) { return cannotAliasInAny(kernel.calls, a, b); };
  kernel.begin = sections.size();
  KernelSection all;
  all.ops = kernel.ops;
  if (canSplit(kernel.function) && !kernel.ops.empty())
    all = estimatePartitions(kernel.function, kernel.ops, cannotAlias, target);
  if (all.partitions.empty() && all.alone > 0)
    for (LinalgOps ops : splitAtCopies(kernel.ops))
      sections.push_back(estimatePartitions(kernel.function, ops, cannotAlias, target));
  else
    sections.push_back(all);
  kernel.end = sections.size();
  for (const KernelSection &section : ArrayRef(sections).drop_front(kernel.begin))
    reportPlanned(section);
}

/// Appends the accesses of each section, in their order.
void Partitioner::addAccesses(const Kernel &kernel, func::CallOp call) {
  for (unsigned number = kernel.begin; number < kernel.end; ++number) {
    llvm::MapVector<unsigned, std::pair<bool, bool>> accessed;
    for (linalg::LinalgOp op : sections[number].ops)
      for (OpOperand &operand : op->getOpOperands())
        if (BlockArgument argument = getKernelArgument(operand.get());
            argument && isa<MemRefType>(argument.getType())) {
          auto &[reads, writes] = accessed[argument.getArgNumber()];
          (op.isDpsInit(&operand) ? writes : reads) = true;
        }
    for (linalg::LinalgOp op : sections[number].ops)
      for (Value buffer : getCapturedBuffers(op))
        if (BlockArgument argument = getKernelArgument(buffer))
          accessed[argument.getArgNumber()].first = true;
    for (auto &[argument, kinds] : accessed)
      model.addAccess(number, argument, call.getOperand(argument), kinds.first, kinds.second);
  }
}

void Partitioner::addAccesses() {
  llvm::DenseMap<Operation *, Kernel *> byFunction;
  for (Kernel &kernel : kernels)
    byFunction[kernel.function] = &kernel;
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) {
      if (auto kernel = symbols.lookup<func::FuncOp>(call.getCallee()))
        addAccesses(*byFunction.lookup(kernel), call);
    });
}

void Partitioner::setChoice(unsigned number, std::optional<unsigned> choice) {
  sections[number].choice = choice;
  model.setShares(number, sections[number].getShares(choice));
}

/// Chooses for one section while the others stay as they are. Returns whether the choice changed.
bool Partitioner::chooseFor(unsigned number) {
  KernelSection &section = sections[number];
  std::optional<unsigned> before = section.choice, best;
  double least = 0;
  for (unsigned next = 0; next <= section.partitions.size(); ++next) {
    auto choice = next == 0 ? std::nullopt : std::optional<unsigned>(next - 1);
    setChoice(number, choice);
    double cycles = section.getTime(choice) + model.getCycles(number);
    if (next != 0 && cycles >= least)
      continue;
    least = cycles;
    best = choice;
  }
  setChoice(number, best);
  return best != before;
}

/// The choices and their cycles, starting from all sections on one thread or from the partition that is fastest for
/// each section by itself.
Partitioner::Choices Partitioner::improve(bool fromWhole, double &cycles) {
  for (auto [number, section] : llvm::enumerate(sections)) {
    std::optional<unsigned> best;
    for (unsigned next = 0; !fromWhole && next < section.partitions.size(); ++next)
      if (section.getTime(next) < section.getTime(best))
        best = next;
    setChoice(number, best);
  }
  bool changed = true;
  for (int round = 0; changed && round < kMaxRounds; ++round) {
    changed = false;
    for (unsigned number = 0; number < sections.size(); ++number)
      if (!sections[number].partitions.empty())
        changed |= chooseFor(number);
  }
  cycles = model.getCycles();
  Choices choices;
  for (const KernelSection &section : sections) {
    cycles += section.getTime(section.choice);
    choices.push_back(section.choice);
  }
  return choices;
}

void Partitioner::chooseAll() {
  double cyclesFromWhole, cyclesFromFast;
  Choices fromWhole = improve(true, cyclesFromWhole);
  Choices fromFast = improve(false, cyclesFromFast);
  if (cyclesFromWhole <= cyclesFromFast)
    for (auto [number, choice] : llvm::enumerate(fromWhole))
      setChoice(number, choice);
}

/// The declaration that stands for all chunks of `part`.
func::FuncOp Partitioner::declareChunks(ChunkFunction part, int64_t chunks, ValueRange arguments) {
  std::string name = (part.function.getName() + "_in_chunks").str();
  if (auto declared = module.lookupSymbol<func::FuncOp>(name))
    return declared;
  OpBuilder builder(part.function);
  auto type = builder.getFunctionType(arguments.getTypes(), {});
  auto function = func::FuncOp::create(builder, part.function.getLoc(), name, type);
  function.setPrivate();
  function->setAttr(
      kernel::kPartitionName,
      kernel::PartitionAttr::get(builder.getContext(), FlatSymbolRefAttr::get(part.function), chunks, part.steps));
  return function;
}

/// Replaces calls of the kernel by calls of `part`, with scratch memory for the partial results of a sum.
void Partitioner::replace(Calls calls, ChunkFunction part, int64_t chunks, MemRefType partials) {
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    Scratch scratch(call);
    SmallVector<Value> arguments;
    for (unsigned number : part.arguments)
      arguments.push_back(number < call.getNumOperands() ? call.getOperand(number)
                                                         : scratch.allocate(builder, call.getLoc(), partials));
    scratchBytes = std::max(scratchBytes, scratch.getBytes());
    func::FuncOp callee = chunks == 0 ? part.function : declareChunks(part, chunks, arguments);
    func::CallOp::create(builder, call.getLoc(), callee, arguments);
  }
}

/// Sets the name and the information on `part` to those of `whole`, the function of all chunks.
static void describe(func::FuncOp part, func::FuncOp whole) {
  auto info = part->getAttrOfType<kernel::InfoAttr>(kernel::kInfoName);
  if (!info)
    return;
  KernelDescription description = describeKernel(whole);
  part->setAttr(kernel::kInfoName,
                kernel::InfoAttr::get(part.getContext(), info.getCalls(), description.flops, description.bytesRead,
                                      description.bytesWritten, info.getSource()));
  if (!description.name.empty())
    part.setName(description.name);
}

/// Replaces `ops`, all operations of `kernel` or a section of them, by functions of their chunks.
void Partitioner::replaceSection(func::FuncOp kernel, LinalgOps ops, const KernelPartition &partition, Calls calls) {
  ChunkFunction part = buildChunkFunction(kernel, ops, partition);
  LinalgOps own = partition.sum ? ops.slice(*partition.sum, 1) : ops;
  if (own.size() != llvm::range_size(kernel.front().getOps<linalg::LinalgOp>())) {
    ChunkFunction whole = buildChunkFunction(kernel, own, KernelPartition());
    describe(part.function, whole.function);
    whole.function.erase();
  }
  symbols.insert(part.function);
  if (!partition.sum)
    return replace(calls, part, partition.chunks);
  MemRefType partials = getPartialsType(ops, partition);
  replace(calls, part, partition.chunks, partials);
  ChunkFunction rest = buildSumFunction(kernel, ops, partition);
  describe(rest.function, rest.function);
  symbols.insert(rest.function);
  replace(calls, rest, 0, partials);
}

/// Replaces the kernel by functions of its sections, if any of them is partitioned.
void Partitioner::replaceKernel(Kernel &kernel) {
  auto own = ArrayRef(sections).slice(kernel.begin, kernel.end - kernel.begin);
  if (llvm::none_of(own, [](const KernelSection &section) { return section.choice.has_value(); }))
    return;
  symbols.remove(kernel.function);
  for (const KernelSection &section : own)
    replaceSection(kernel.function, section.ops,
                   section.choice ? section.partitions[*section.choice].partition : KernelPartition(), kernel.calls);
  for (func::CallOp call : kernel.calls)
    call.erase();
  kernel.function.erase();
}

void Partitioner::run() {
  findKernels();
  for (Kernel &kernel : kernels)
    findSections(kernel);
  addAccesses();
  chooseAll();
  for (Kernel &kernel : kernels)
    replaceKernel(kernel);
  reserveScratch(module, "partial sums", scratchBytes);
}

namespace {
struct PartitionKernels : plumb::impl::PartitionKernelsPassBase<PartitionKernels> {
  using PartitionKernelsPassBase::PartitionKernelsPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    for (auto module : getOperation().getOps<device::ModuleOp>())
      Partitioner(module, *target).run();
  }
};
} // namespace
