// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outlines each kernel of a step into a function before code is generated for it. LLVM's compile time grows faster than
// linearly with the size of functions: register allocation and loop strength reduction consider all of a function,
// and values invariant in the step's loop would be live across all kernels. Equal kernels become one function: buffers
// are arguments, so a network's repeated blocks are compiled once. Views are rebased before they are passed: an
// unrolled loop over the slices of a tensor has one function for all slices, whose offsets are in the addresses.
//
// A kernel is an operation with the fills, copies and transposes right before it, which the emitters merge with it, and
// with the operations after it that FuseEpilogues marked. Thousands of copies in a row, as of a long list that becomes
// a tensor, are several kernels: the time to compile a function grows faster than its arguments. Reshapes of a kernel's
// buffers are inside. An argument whose buffer aliases no other argument's is `llvm.noalias`; offsets decide that.
// Covered by outline_kernels.mlir.

#include "compiler/codegen/common/Aliasing.h"
#include "compiler/codegen/common/Passes.h"
#include "compiler/support/UsedValues.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include <limits>

namespace plumb {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Consecutive operations that become one function.
using Kernel = SmallVector<Operation *>;

/// Outlines the kernels of one device module.
class Outliner {
public:
  explicit Outliner(device::ModuleOp module) : module(module), symbols(module) {}

  /// Outlines all kernels in `block`.
  void run(Block &block);

private:
  void outline(const Kernel &kernel);
  Value rebase(Value argument);
  func::FuncOp build(const Kernel &kernel, ArrayRef<Value> arguments, ArrayRef<Operation *> inside);
  func::FuncOp findEqual(func::FuncOp function);

  device::ModuleOp module;
  SymbolTable symbols;
  /// The operands of calls, by the views that kernels use.
  llvm::DenseMap<Value, Value> rebased;
  llvm::StringMap<func::FuncOp> functions;
};

} // namespace

/// Whether the emitters may merge `op` with the operation after it.
static bool isPrologue(Operation *op) { return isa<linalg::FillOp, linalg::CopyOp, linalg::TransposeOp>(op); }

/// Whether `op` belongs to the epilogue of the operation before it.
static bool isEpilogue(Operation *op) { return op->hasAttr(kernel::kEpilogueName); }

/// How many fills, copies and transposes in a row are one kernel.
static constexpr size_t kMaxPrologues = 64;

/// Whether `op` belongs to the kernel whose operations so far, `kernel`, are right before it.
static bool joins(const Kernel &kernel, Operation *op) {
  if (kernel.empty() || !isa<linalg::LinalgOp>(op))
    return false;
  if (isEpilogue(op))
    return true;
  bool isFull = kernel.size() >= kMaxPrologues && isPrologue(op);
  return isPrologue(kernel.back()) && !isEpilogue(kernel.back()) && !isFull;
}

/// The kernels of a block, in order.
static SmallVector<Kernel> findKernels(Block &block) {
  SmallVector<Kernel> kernels(1);
  for (Operation &op : block) {
    if (isMemoryEffectFree(&op))
      continue;
    if (!joins(kernels.back(), &op) && !kernels.back().empty())
      kernels.emplace_back();
    if (isa<linalg::LinalgOp>(op))
      kernels.back().push_back(&op);
  }
  return kernels;
}

/// Whether a value of `type` can be passed as one pointer or one scalar.
static bool isPlain(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return type.isIntOrIndexOrFloat();
  SmallVector<int64_t> strides;
  int64_t offset;
  return memref.hasStaticShape() && succeeded(memref.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) && !llvm::any_of(strides, ShapedType::isDynamic);
}

/// The operand of calls for a kernel's `argument`: views without their offsets. One operation serves all calls.
Value Outliner::rebase(Value argument) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || kernel::RebaseOp::getRebasedType(type) == type)
    return argument;
  Value &result = rebased[argument];
  if (!result) {
    OpBuilder builder(module.getContext());
    builder.setInsertionPointAfterValue(argument);
    result = kernel::RebaseOp::create(builder, argument.getLoc(), argument);
  }
  return result;
}

/// Repeats `op`, which `collect` moves inside. Views infer their types, as a source may have lost its offset.
static void repeat(OpBuilder &builder, Operation *op, IRMapping &mapping) {
  Location loc = op->getLoc();
  Value view;
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    view = memref::ExpandShapeOp::create(builder, loc, expand.getType().getShape(), mapping.lookup(expand.getSrc()),
                                         expand.getReassociationIndices());
  else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
    view = memref::CollapseShapeOp::create(builder, loc, mapping.lookup(collapse.getSrc()),
                                           collapse.getReassociationIndices());
  else if (auto halo = dyn_cast<device::HaloOp>(op))
    view = device::HaloOp::create(builder, loc, mapping.lookup(halo.getSource()), halo.getLow(), halo.getHigh());
  if (view)
    mapping.map(op->getResult(0), view);
  else
    builder.clone(*op, mapping);
}

/// Builds a function of the operations `inside` and the kernel's, not yet in the module.
func::FuncOp Outliner::build(const Kernel &kernel, ArrayRef<Value> arguments, ArrayRef<Operation *> inside) {
  Location location = kernel.back()->getLoc();
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.push_back(rebase(argument).getType());
  auto type = FunctionType::get(module.getContext(), types, {});
  auto function = func::FuncOp::create(location, "kernel", type);
  function.setPrivate();
  function->setAttr("llvm.linkage", LLVM::LinkageAttr::get(module.getContext(), LLVM::Linkage::Internal));
  Block *block = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  IRMapping mapping;
  mapping.map(ValueRange(arguments), block->getArguments());
  for (unsigned number : findUnaliased(arguments))
    function.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  for (Operation *op : inside)
    repeat(builder, op, mapping);
  for (Operation *op : kernel)
    builder.clone(*op, mapping);
  func::ReturnOp::create(builder, location);
  return function;
}

/// The function in the module that equals `function`, or `function` itself after insertion.
func::FuncOp Outliner::findEqual(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Independent of printing flags: all elements, no locations.
  constexpr int64_t all = std::numeric_limits<int64_t>::max();
  function->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false).elideLargeElementsAttrs(all));
  auto [found, isNew] = functions.try_emplace(text, function);
  if (!isNew) {
    function.erase();
    return found->second;
  }
  function.setName(("plumb_kernel_" + Twine(functions.size() - 1)).str());
  symbols.insert(function);
  return function;
}

/// Adds an argument for `value`, or the operation that defines it. Fails where it cannot be passed.
static LogicalResult collect(Value value, llvm::SetVector<Value> &arguments, llvm::SetVector<Operation *> &inside) {
  Operation *definition = value.getDefiningOp();
  if (getReshaped(value) != value || isa_and_nonnull<device::HaloOp>(definition)) {
    if (failed(collect(definition->getOperand(0), arguments, inside)))
      return failure();
    inside.insert(definition);
    return success();
  }
  if (definition && definition->hasTrait<OpTrait::ConstantLike>())
    inside.insert(definition);
  else
    arguments.insert(value);
  return success(inside.contains(definition) || isPlain(value.getType()));
}

/// Outlines one kernel, unless it uses a value that cannot be passed.
void Outliner::outline(const Kernel &kernel) {
  llvm::SetVector<Value> arguments;
  llvm::SetVector<Operation *> inside;
  for (Operation *op : kernel)
    for (Value value : getUsedValues(op))
      if (failed(collect(value, arguments, inside)))
        return;
  func::FuncOp function = findEqual(build(kernel, arguments.getArrayRef(), inside.getArrayRef()));
  OpBuilder builder(kernel.back());
  auto operands = llvm::map_to_vector(arguments, [&](Value argument) { return rebase(argument); });
  func::CallOp::create(builder, kernel.back()->getLoc(), function, operands);
  for (Operation *op : kernel)
    op->erase();
}

void Outliner::run(Block &block) {
  for (const Kernel &kernel : findKernels(block))
    if (!kernel.empty())
      outline(kernel);
}

namespace {
struct OutlineKernels : plumb::impl::OutlineKernelsPassBase<OutlineKernels> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>()) {
      SmallVector<Block *> blocks;
      for (auto loop : module.getBody().getOps<device::LoopOp>())
        loop.walk<WalkOrder::PreOrder>([&](Block *block) {
          if (!isa<linalg::LinalgOp>(block->getParentOp()))
            blocks.push_back(block);
        });
      Outliner outliner(module);
      for (Block *block : blocks)
        outliner.run(*block);
    }
  }
};
} // namespace
