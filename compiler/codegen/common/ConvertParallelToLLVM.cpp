// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes runs of kernels down as tables of stages. Going from stage to stage is
// the cheapest way to keep threads in step, so a run is as long as it can be:
// kernels that stay whole are in it, as stages of one grain, and only what is
// not a kernel, such as the copy of a report, ends it. What kernels need lies in
// a frame: the few places that their buffers are counted from, not each buffer.
// Covered by convert_parallel_to_llvm.mlir.

#include "compiler/codegen/common/Passes.h"
#include "compiler/codegen/common/StageFrame.h"

#include "dialects/device/ir/Device.h"
#include "runtime/abi/executable_abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#define DEBUG_TYPE "plumb-convert-parallel-to-llvm"

namespace plumb {
#define GEN_PASS_DEF_CONVERTPARALLELTOLLVMPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Kernels that follow each other.
using Kernels = SmallVector<Operation *>;

/// Kernels that become one table.
struct Run {
  explicit Run(Kernels kernels) : kernels(std::move(kernels)), frame(this->kernels) {}

  Kernels kernels;
  StageFrame frame;
};

/// Converts the runs of one device module.
class StageWriter {
public:
  explicit StageWriter(device::ModuleOp module);

  void convert(LLVM::LLVMFuncOp loop);

private:
  using Builder = ImplicitLocOpBuilder;

  void convert(Run &run);
  LLVM::GlobalOp writeTable(Builder &builder, Run &run);
  LLVM::LLVMFuncOp writeStage(ArrayRef<Operation *> kernels, StageFrame &frame);
  void callKernel(Builder &builder, Operation *kernel, StageFrame &frame, Value grain);
  void callStages(Builder &builder, LLVM::GlobalOp table, uint64_t count);
  LLVM::LLVMFuncOp getRunner();
  Value constant(Builder &builder, int64_t value);

  device::ModuleOp module;
  SymbolTable symbols;
  Type i64, pointer, nothing;
  /// The loop that is converted, and where its frame is.
  LLVM::LLVMFuncOp loop;
  LLVM::AllocaOp frame;
  unsigned stages = 0, tables = 0;
};

} // namespace

StageWriter::StageWriter(device::ModuleOp module)
    : module(module), symbols(module), i64(IntegerType::get(module.getContext(), 64)),
      pointer(LLVM::LLVMPointerType::get(module.getContext())),
      nothing(LLVM::LLVMVoidType::get(module.getContext())) {}

/// The function of the module that `op` calls, or null.
static LLVM::LLVMFuncOp getCallee(Operation *op, const SymbolTable &symbols) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || !call.getCallee() || call.getNumResults() != 0)
    return LLVM::LLVMFuncOp();
  return symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
}

/// The number of grains that `op` calls for; 0 for any other operation.
static int64_t countGrains(Operation *op, const SymbolTable &symbols) {
  LLVM::LLVMFuncOp callee = getCallee(op, symbols);
  auto grains = callee ? callee->getAttrOfType<IntegerAttr>("device.grains")
                       : IntegerAttr();
  return grains ? grains.getInt() : 0;
}

/// Fails where it is not said what one grain does, and where its data are.
static LogicalResult checkGrains(LLVM::LLVMFuncOp function,
                                 const SymbolTable &symbols) {
  auto part = function->getAttrOfType<FlatSymbolRefAttr>("device.part");
  auto steps = function->getAttrOfType<DenseI64ArrayAttr>("device.steps");
  bool known = part && symbols.lookup<LLVM::LLVMFuncOp>(part.getValue());
  if (known && steps && steps.size() == int64_t(function.getNumArguments()))
    return success();
  return function.emitOpError("is in grains, and needs `device.part`, the "
                              "function of one, and a step for each argument");
}

/// Whether `op` is a call of a kernel that stays whole: of a function that the
/// module itself has.
static bool isWholeKernel(Operation *op, const SymbolTable &symbols) {
  LLVM::LLVMFuncOp callee = getCallee(op, symbols);
  return callee && !callee.isExternal();
}

/// The runs of a block that are worth threads, in order.
static SmallVector<Kernels> findRuns(Block &block, const SymbolTable &symbols) {
  SmallVector<Kernels> runs(1);
  for (Operation &op : block) {
    bool isParallel = countGrains(&op, symbols) > 0;
    if (isParallel || (!runs.back().empty() && isWholeKernel(&op, symbols)))
      runs.back().push_back(&op);
    else if (!runs.back().empty() && !isMemoryEffectFree(&op))
      runs.emplace_back();
  }
  for (Kernels &run : runs)
    while (!run.empty() && !countGrains(run.back(), symbols))
      run.pop_back();
  llvm::erase_if(runs, [](const Kernels &run) { return run.empty(); });
  return runs;
}

Value StageWriter::constant(Builder &builder, int64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(value));
}

/// Calls `kernel` with arguments from the frame, as they are for `grain`.
void StageWriter::callKernel(Builder &builder, Operation *kernel, StageFrame &frame,
                             Value grain) {
  LLVM::LLVMFuncOp function = getCallee(kernel, symbols);
  ArrayRef<int64_t> steps;
  if (countGrains(kernel, symbols)) {
    steps = function->getAttrOfType<DenseI64ArrayAttr>("device.steps").asArrayRef();
    function = symbols.lookup<LLVM::LLVMFuncOp>(
        function->getAttrOfType<FlatSymbolRefAttr>("device.part").getValue());
  }
  SmallVector<Value> arguments;
  for (auto [number, value] : llvm::enumerate(kernel->getOperands())) {
    Value argument = frame.load(builder, value);
    if (int64_t step = steps.empty() ? 0 : steps[number]) {
      Value distance =
          LLVM::MulOp::create(builder, grain, constant(builder, step));
      argument = LLVM::GEPOp::create(builder, pointer, builder.getI8Type(),
                                     argument, ArrayRef<LLVM::GEPArg>{distance});
    }
    arguments.push_back(argument);
  }
  LLVM::CallOp::create(builder, function, arguments);
}

/// The function of one stage.
LLVM::LLVMFuncOp StageWriter::writeStage(ArrayRef<Operation *> kernels,
                                         StageFrame &frame) {
  Builder builder(kernels.front()->getLoc(), loop);
  auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, i64});
  auto function = LLVM::LLVMFuncOp::create(
      builder, ("plumb_stage_" + Twine(stages++)).str(), type);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  frame.enterStage(function.getArgument(0));
  for (Operation *kernel : kernels)
    callKernel(builder, kernel, frame, function.getArgument(1));
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}

/// The constant array of plumb_stage_t of a run.
LLVM::GlobalOp StageWriter::writeTable(Builder &builder, Run &run) {
  ArrayRef<Operation *> kernels = run.kernels;
  SmallVector<std::pair<LLVM::LLVMFuncOp, int64_t>> entries;
  for (size_t begin = 0, end; begin < kernels.size(); begin = end) {
    int64_t grains = countGrains(kernels[begin], symbols);
    auto goesOn = [&](Operation *kernel) {
      return grains == 0 ? countGrains(kernel, symbols) == 0
                         : kernel->hasAttr("device.joined");
    };
    for (end = begin + 1; end < kernels.size() && goesOn(kernels[end]);)
      ++end;
    entries.emplace_back(writeStage(kernels.slice(begin, end - begin), run.frame),
                         std::max<int64_t>(grains, 1));
  }
  auto stage = LLVM::LLVMStructType::getLiteral(module.getContext(), {pointer, i64});
  static_assert(sizeof(plumb_stage_t) == 16);
  auto type = LLVM::LLVMArrayType::get(stage, entries.size());
  builder.setInsertionPoint(loop);
  auto table = LLVM::GlobalOp::create(
      builder, type, /*isConstant=*/true, LLVM::Linkage::Internal,
      ("plumb_stages_" + Twine(tables++)).str(), Attribute());
  builder.createBlock(&table.getInitializerRegion());
  Value value = LLVM::UndefOp::create(builder, type);
  for (auto [index, entry] : llvm::enumerate(entries)) {
    int64_t at = index;
    Value function = LLVM::AddressOfOp::create(builder, entry.first);
    value = LLVM::InsertValueOp::create(builder, value, function, ArrayRef<int64_t>{at, 0});
    value = LLVM::InsertValueOp::create(
        builder, value, constant(builder, entry.second), ArrayRef<int64_t>{at, 1});
  }
  LLVM::ReturnOp::create(builder, value);
  return table;
}

/// What runs a table on one thread: for each stage, for each grain.
LLVM::LLVMFuncOp StageWriter::getRunner() {
  StringRef name = "plumb_run_stages";
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  Builder builder(module.getLoc(), loop);
  auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, i64, pointer});
  auto function = LLVM::LLVMFuncOp::create(builder, name, type);
  Block *entry = function.addEntryBlock(builder);
  auto addBlock = [&](TypeRange types) {
    SmallVector<Location> locations(types.size(), module.getLoc());
    return builder.createBlock(&function.getBody(), function.end(), types,
                               locations);
  };
  Block *stage = addBlock({pointer}), *grain = addBlock({i64});
  Block *next = addBlock({}), *end = addBlock({});
  builder.setInsertionPointToStart(entry);
  Value bytes = LLVM::MulOp::create(builder, function.getArgument(1),
                                    constant(builder, sizeof(plumb_stage_t)));
  Value last = LLVM::GEPOp::create(builder, pointer, builder.getI8Type(),
                                   function.getArgument(0),
                                   ArrayRef<LLVM::GEPArg>{bytes});
  LLVM::BrOp::create(builder, ValueRange{function.getArgument(0)}, stage);
  builder.setInsertionPointToStart(stage);
  Value at = stage->getArgument(0);
  Value run = LLVM::LoadOp::create(builder, pointer, at);
  Value grains = LLVM::LoadOp::create(
      builder, i64, addBytes(builder, at, offsetof(plumb_stage_t, grains)));
  LLVM::BrOp::create(builder, ValueRange{constant(builder, 0)}, grain);
  builder.setInsertionPointToStart(grain);
  Value number = grain->getArgument(0);
  LLVM::CallOp::create(builder, LLVM::LLVMFunctionType::get(nothing, {pointer, i64}),
                       ValueRange{run, function.getArgument(2), number});
  Value following = LLVM::AddOp::create(builder, number, constant(builder, 1));
  Value isOver = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::uge,
                                      following, grains);
  LLVM::CondBrOp::create(builder, isOver, next, ValueRange(), grain,
                         ValueRange{following});
  builder.setInsertionPointToStart(next);
  Value after = addBytes(builder, at, sizeof(plumb_stage_t));
  Value isLast = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, after, last);
  LLVM::CondBrOp::create(builder, isLast, end, ValueRange(), stage,
                         ValueRange{after});
  builder.setInsertionPointToStart(end);
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}

/// Runs a table, on the host's threads if it has any.
void StageWriter::callStages(Builder &builder, LLVM::GlobalOp table,
                             uint64_t count) {
  Value launch = loop.getArgument(0);
  Value address = LLVM::AddressOfOp::create(builder, table);
  Value length = constant(builder, count);
  Value parallel = LLVM::LoadOp::create(
      builder, pointer, addBytes(builder, launch, offsetof(plumb_launch_t, parallel)));
  Value null = LLVM::ZeroOp::create(builder, pointer);
  Value isAlone = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, parallel, null);
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Block *alone = builder.createBlock(after), *host = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, isAlone, alone, host);
  builder.setInsertionPointToEnd(alone);
  LLVM::CallOp::create(builder, getRunner(), ValueRange{address, length, frame});
  LLVM::BrOp::create(builder, ValueRange(), after);
  builder.setInsertionPointToEnd(host);
  auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, pointer, i64, pointer});
  LLVM::CallOp::create(builder, type,
                       ValueRange{parallel, launch, address, length, frame});
  LLVM::BrOp::create(builder, ValueRange(), after);
}

void StageWriter::convert(Run &run) {
  Operation *last = run.kernels.back();
  Builder builder(last->getLoc(), last->getContext());
  LLVM::GlobalOp table = writeTable(builder, run);
  uint64_t count = cast<LLVM::LLVMArrayType>(table.getType()).getNumElements();
  builder.setInsertionPointAfter(last);
  run.frame.store(builder, frame);
  callStages(builder, table, count);
  for (Operation *kernel : run.kernels)
    kernel->erase();
}

void StageWriter::convert(LLVM::LLVMFuncOp function) {
  loop = function;
  std::vector<Run> runs;
  size_t most = 0;
  for (Block &block : function.getBody())
    for (Kernels &kernels : findRuns(block, symbols)) {
      runs.emplace_back(std::move(kernels));
      most = std::max(most, runs.back().frame.size());
    }
  if (runs.empty())
    return;
  // All runs share one frame: each is over before the next begins.
  Builder builder(function.getLoc(), function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  frame = LLVM::AllocaOp::create(builder, pointer, i64, constant(builder, most));
  llvm::for_each(runs, [&](Run &run) { convert(run); });
}

namespace {
struct ConvertParallelToLLVM
    : plumb::impl::ConvertParallelToLLVMPassBase<ConvertParallelToLLVM> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>()) {
      SmallVector<LLVM::LLVMFuncOp> loops, grains;
      for (auto function : module.getBody().getOps<LLVM::LLVMFuncOp>())
        if (function->hasAttr("device.grains"))
          grains.push_back(function);
        else if (!function.isExternal() && !function->hasAttr("device.kernel"))
          loops.push_back(function);
      if (grains.empty())
        continue;
      SymbolTable symbols(module);
      if (llvm::any_of(grains, [&](LLVM::LLVMFuncOp function) {
            return failed(checkGrains(function, symbols));
          }))
        return signalPassFailure();
      StageWriter writer(module);
      for (LLVM::LLVMFuncOp loop : loops)
        writer.convert(loop);
      for (LLVM::LLVMFuncOp function : grains)
        function.erase();
    }
  }
};
} // namespace
