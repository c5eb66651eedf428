// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns sequences of kernels into tables of tasks. A table is the cheapest synchronisation of threads, so sequences are
// as long as possible: kernels on one thread are tasks of one chunk, and only operations that are no kernels, such as
// the copy of a report, end a sequence. The kernels' arguments are in a frame: not each buffer, but the few base
// addresses that buffers are relative to. Covered by convert_parallel_to_llvm.mlir.

#include "compiler/codegen/common/Passes.h"
#include "compiler/codegen/common/TaskFrame.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"
#include "runtime/abi/executable_abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTPARALLELTOLLVMPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Consecutive kernels.
using Kernels = SmallVector<Operation *>;

/// The kernels of one table.
struct Run {
  explicit Run(Kernels kernels) : kernels(std::move(kernels)), frame(this->kernels) {}

  Kernels kernels;
  TaskFrame frame;
};

/// Converts the sequences of one device module.
class TaskWriter {
public:
  explicit TaskWriter(device::ModuleOp module);

  void convert(LLVM::LLVMFuncOp loop);

private:
  using Builder = ImplicitLocOpBuilder;

  void convert(Run &run);
  LLVM::GlobalOp writeTable(Builder &builder, Run &run);
  LLVM::LLVMFuncOp writeTask(ArrayRef<Operation *> kernels, TaskFrame &frame);
  void callKernel(Builder &builder, Operation *call, TaskFrame &frame, Value chunk);
  void callTasks(Builder &builder, LLVM::GlobalOp table, uint64_t count);
  LLVM::LLVMFuncOp getRunner();
  Value constant(Builder &builder, int64_t value);

  device::ModuleOp module;
  SymbolTable symbols;
  Type i64, pointer, nothing;
  /// The current loop, and its frame.
  LLVM::LLVMFuncOp loop;
  LLVM::AllocaOp frame;
  unsigned tasks = 0, tables = 0;
};

} // namespace

TaskWriter::TaskWriter(device::ModuleOp module)
    : module(module), symbols(module), i64(IntegerType::get(module.getContext(), 64)),
      pointer(LLVM::LLVMPointerType::get(module.getContext())), nothing(LLVM::LLVMVoidType::get(module.getContext())) {}

/// The function of the module that `op` calls, or null.
static LLVM::LLVMFuncOp getCallee(Operation *op, const SymbolTable &symbols) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || !call.getCallee() || call.getNumResults() != 0)
    return LLVM::LLVMFuncOp();
  return symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
}

/// The number of chunks of the kernel that `op` calls; 0 for other operations.
static int64_t countChunks(Operation *op, const SymbolTable &symbols) {
  return kernel::countChunks(getCallee(op, symbols));
}

/// Whether `op` calls a kernel that runs on one thread: a function with a body in the module.
static bool isWholeKernel(Operation *op, const SymbolTable &symbols) {
  LLVM::LLVMFuncOp callee = getCallee(op, symbols);
  return callee && !callee.isExternal();
}

/// The sequences of a block that contain partitioned kernels, in order.
static SmallVector<Kernels> findRuns(Block &block, const SymbolTable &symbols) {
  SmallVector<Kernels> runs(1);
  for (Operation &op : block) {
    bool isParallel = countChunks(&op, symbols) > 0;
    if (isParallel || (!runs.back().empty() && isWholeKernel(&op, symbols)))
      runs.back().push_back(&op);
    else if (!runs.back().empty() && !isMemoryEffectFree(&op))
      runs.emplace_back();
  }
  for (Kernels &run : runs)
    while (!run.empty() && !countChunks(run.back(), symbols))
      run.pop_back();
  llvm::erase_if(runs, [](const Kernels &run) { return run.empty(); });
  return runs;
}

Value TaskWriter::constant(Builder &builder, int64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(value));
}

/// Repeats the kernel's `call` for `chunk`, with arguments from the frame.
void TaskWriter::callKernel(Builder &builder, Operation *call, TaskFrame &frame, Value chunk) {
  LLVM::LLVMFuncOp function = getCallee(call, symbols);
  ArrayRef<int64_t> steps;
  if (kernel::PartitionAttr partition = kernel::getPartition(function)) {
    steps = partition.getSteps();
    function = symbols.lookup<LLVM::LLVMFuncOp>(partition.getFunction().getValue());
  }
  SmallVector<Value> arguments;
  for (auto [number, value] : llvm::enumerate(call->getOperands())) {
    Value argument = frame.load(builder, value);
    if (int64_t step = steps.empty() ? 0 : steps[number]) {
      Value distance = LLVM::MulOp::create(builder, chunk, constant(builder, step));
      argument = LLVM::GEPOp::create(builder, pointer, builder.getI8Type(), argument, ArrayRef<LLVM::GEPArg>{distance});
    }
    arguments.push_back(argument);
  }
  LLVM::CallOp::create(builder, function, arguments);
}

/// The function of one task.
LLVM::LLVMFuncOp TaskWriter::writeTask(ArrayRef<Operation *> kernels, TaskFrame &frame) {
  Builder builder(kernels.front()->getLoc(), loop);
  auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, i64});
  auto function = LLVM::LLVMFuncOp::create(builder, ("plumb_task_" + Twine(tasks++)).str(), type);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  frame.enterTask(function.getArgument(0));
  for (Operation *kernel : kernels)
    callKernel(builder, kernel, frame, function.getArgument(1));
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}

/// The constant array of plumb_task_t for a sequence.
LLVM::GlobalOp TaskWriter::writeTable(Builder &builder, Run &run) {
  ArrayRef<Operation *> kernels = run.kernels;
  SmallVector<std::pair<LLVM::LLVMFuncOp, int64_t>> entries;
  for (size_t begin = 0, end; begin < kernels.size(); begin = end) {
    int64_t chunks = countChunks(kernels[begin], symbols);
    auto isSameTask = [&](Operation *call) {
      return chunks == 0 ? countChunks(call, symbols) == 0 : call->hasAttr(kernel::kFusedName);
    };
    for (end = begin + 1; end < kernels.size() && isSameTask(kernels[end]);)
      ++end;
    entries.emplace_back(writeTask(kernels.slice(begin, end - begin), run.frame), std::max<int64_t>(chunks, 1));
  }
  auto task = LLVM::LLVMStructType::getLiteral(module.getContext(), {pointer, i64});
  static_assert(sizeof(plumb_task_t) == 16);
  auto type = LLVM::LLVMArrayType::get(task, entries.size());
  builder.setInsertionPoint(loop);
  auto table = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                      ("plumb_tasks_" + Twine(tables++)).str(), Attribute());
  builder.createBlock(&table.getInitializerRegion());
  Value value = LLVM::UndefOp::create(builder, type);
  for (auto [index, entry] : llvm::enumerate(entries)) {
    int64_t at = index;
    Value function = LLVM::AddressOfOp::create(builder, entry.first);
    value = LLVM::InsertValueOp::create(builder, value, function, ArrayRef<int64_t>{at, 0});
    value = LLVM::InsertValueOp::create(builder, value, constant(builder, entry.second), ArrayRef<int64_t>{at, 1});
  }
  LLVM::ReturnOp::create(builder, value);
  return table;
}

/// The function that runs a table on one thread: for each task, for each chunk.
LLVM::LLVMFuncOp TaskWriter::getRunner() {
  StringRef name = "plumb_run_tasks";
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  Builder builder(module.getLoc(), loop);
  auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, i64, pointer});
  auto function = LLVM::LLVMFuncOp::create(builder, name, type);
  Block *entry = function.addEntryBlock(builder);
  auto addBlock = [&](TypeRange types) {
    SmallVector<Location> locations(types.size(), module.getLoc());
    return builder.createBlock(&function.getBody(), function.end(), types, locations);
  };
  Block *task = addBlock({pointer}), *chunk = addBlock({i64});
  Block *next = addBlock({}), *end = addBlock({});
  builder.setInsertionPointToStart(entry);
  Value bytes = LLVM::MulOp::create(builder, function.getArgument(1), constant(builder, sizeof(plumb_task_t)));
  Value last = LLVM::GEPOp::create(builder, pointer, builder.getI8Type(), function.getArgument(0),
                                   ArrayRef<LLVM::GEPArg>{bytes});
  LLVM::BrOp::create(builder, ValueRange{function.getArgument(0)}, task);
  builder.setInsertionPointToStart(task);
  Value at = task->getArgument(0);
  Value run = LLVM::LoadOp::create(builder, pointer, at);
  Value chunks = LLVM::LoadOp::create(builder, i64, addBytes(builder, at, offsetof(plumb_task_t, chunks)));
  LLVM::BrOp::create(builder, ValueRange{constant(builder, 0)}, chunk);
  builder.setInsertionPointToStart(chunk);
  Value number = chunk->getArgument(0);
  LLVM::CallOp::create(builder, LLVM::LLVMFunctionType::get(nothing, {pointer, i64}),
                       ValueRange{run, function.getArgument(2), number});
  Value following = LLVM::AddOp::create(builder, number, constant(builder, 1));
  Value isOver = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::uge, following, chunks);
  LLVM::CondBrOp::create(builder, isOver, next, ValueRange(), chunk, ValueRange{following});
  builder.setInsertionPointToStart(next);
  Value after = addBytes(builder, at, sizeof(plumb_task_t));
  Value isLast = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, after, last);
  LLVM::CondBrOp::create(builder, isLast, end, ValueRange(), task, ValueRange{after});
  builder.setInsertionPointToStart(end);
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}

/// Runs a table, on the host's threads if it has several.
void TaskWriter::callTasks(Builder &builder, LLVM::GlobalOp table, uint64_t count) {
  Value launch = loop.getArgument(0);
  Value address = LLVM::AddressOfOp::create(builder, table);
  Value length = constant(builder, count);
  Value parallel =
      LLVM::LoadOp::create(builder, pointer, addBytes(builder, launch, offsetof(plumb_launch_t, parallel)));
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
  LLVM::CallOp::create(builder, type, ValueRange{parallel, launch, address, length, frame});
  LLVM::BrOp::create(builder, ValueRange(), after);
}

void TaskWriter::convert(Run &run) {
  Operation *last = run.kernels.back();
  Builder builder(last->getLoc(), last->getContext());
  LLVM::GlobalOp table = writeTable(builder, run);
  uint64_t count = cast<LLVM::LLVMArrayType>(table.getType()).getNumElements();
  builder.setInsertionPointAfter(last);
  run.frame.store(builder, frame);
  callTasks(builder, table, count);
  for (Operation *kernel : run.kernels)
    kernel->erase();
}

void TaskWriter::convert(LLVM::LLVMFuncOp function) {
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
  // All sequences share one frame: each ends before the next one begins.
  Builder builder(function.getLoc(), function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  frame = LLVM::AllocaOp::create(builder, pointer, i64, constant(builder, most));
  llvm::for_each(runs, [&](Run &run) { convert(run); });
}

namespace {
struct ConvertParallelToLLVM : plumb::impl::ConvertParallelToLLVMPassBase<ConvertParallelToLLVM> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>()) {
      SmallVector<LLVM::LLVMFuncOp> loops, chunks;
      for (auto function : module.getBody().getOps<LLVM::LLVMFuncOp>())
        if (kernel::getPartition(function))
          chunks.push_back(function);
        else if (!function.isExternal() && !function->hasAttr(kernel::kInfoName))
          loops.push_back(function);
      if (chunks.empty())
        continue;
      TaskWriter writer(module);
      for (LLVM::LLVMFuncOp loop : loops)
        writer.convert(loop);
      for (LLVM::LLVMFuncOp function : chunks)
        function.erase();
    }
  }
};
} // namespace
