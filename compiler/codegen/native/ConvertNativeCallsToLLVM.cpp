// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns calls of functions that the program brings along into native calls.
//
// The function's signature is that of C programs: arrays of pointers, of ranks,
// of shapes, of names. They are known while compiling but for the pointers; a
// function around the call, with a frame of its own, fills them in, so that the
// step's frame does not grow with each call. Equal calls share it.
//
//   native.call "scale" of #source ["float32", "float32"]
//       ins(%x : memref<4xf32>) outs(%y, %s : memref<4xf32>, memref<i32>)
//
// becomes `llvm.call @plumb_call_scale(%px, %py, %ps)`. The function of the source
// is declared with the source as an attribute, by which the stage emit finds it.
//
// Covered by convert_native_calls_to_llvm.mlir.

#include "compiler/codegen/native/Passes.h"

#include "dialects/device/ir/Device.h"
#include "dialects/native/ir/Native.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTNATIVECALLSTOLLVMPASS
#include "compiler/codegen/native/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// What a function around a call depends on.
using CallKey = std::tuple<StringAttr, native::SourceAttr, ArrayAttr, ArrayAttr>;

/// Converts the calls of one device module.
class NativeCalls {
public:
  explicit NativeCalls(device::ModuleOp module)
      : module(module), symbols(module), context(module.getContext()), pointer(LLVM::LLVMPointerType::get(context)),
        i32(IntegerType::get(context, 32)), i64(IntegerType::get(context, 64)) {}

  void convert(native::CallOp call);

private:
  LLVM::LLVMFuncOp getFunction(native::CallOp call);
  LLVM::LLVMFuncOp getCaller(native::CallOp call);
  LLVM::LLVMFuncOp buildCaller(native::CallOp call);
  LLVM::LLVMFuncOp declare(Location loc, const Twine &name, Type result, ArrayRef<Type> arguments);
  Value makeNumber(ImplicitLocOpBuilder &b, Type type, int64_t number);
  Value makeArray(ImplicitLocOpBuilder &b, Type element, ArrayRef<Value> values);
  Value makeShapes(ImplicitLocOpBuilder &b, ArrayRef<ShapedType> types);
  Value makeDtype(ImplicitLocOpBuilder &b, StringRef dtype);

  device::ModuleOp module;
  SymbolTable symbols;
  MLIRContext *context;
  Type pointer, i32, i64;
  llvm::DenseMap<std::pair<StringAttr, native::SourceAttr>, LLVM::LLVMFuncOp> functions;
  llvm::DenseMap<CallKey, LLVM::LLVMFuncOp> callers;
  llvm::StringMap<LLVM::GlobalOp> dtypes;
};

} // namespace

/// The parameters of the function: inputs and outputs, but not the status.
static SmallVector<ShapedType> getParameters(native::CallOp call) {
  SmallVector<Value> parameters(call.getInputs());
  llvm::append_range(parameters, call.getOutputs().drop_back());
  return llvm::map_to_vector(parameters, [](Value value) { return cast<ShapedType>(value.getType()); });
}

LLVM::LLVMFuncOp NativeCalls::declare(Location loc, const Twine &name, Type result, ArrayRef<Type> arguments) {
  OpBuilder builder(context);
  auto type = LLVM::LLVMFunctionType::get(result, arguments);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name.str(), type);
  symbols.insert(function);
  return function;
}

/// The function of the source, declared.
LLVM::LLVMFuncOp NativeCalls::getFunction(native::CallOp call) {
  LLVM::LLVMFuncOp &function = functions[{call.getFunctionAttr(), call.getSource()}];
  if (function)
    return function;
  function = declare(call.getLoc(), "plumb_native_" + call.getFunction(), i32,
                     {i32, pointer, pointer, pointer, pointer, pointer, pointer});
  function->setAttr("native.function", call.getFunctionAttr());
  function->setAttr("native.source", call.getSource());
  return function;
}

Value NativeCalls::makeNumber(ImplicitLocOpBuilder &b, Type type, int64_t number) {
  return LLVM::ConstantOp::create(b, b.getIntegerAttr(type, number));
}

/// An array in the frame that holds `values`.
Value NativeCalls::makeArray(ImplicitLocOpBuilder &b, Type element, ArrayRef<Value> values) {
  Value count = makeNumber(b, i64, std::max<int64_t>(values.size(), 1));
  Value array = LLVM::AllocaOp::create(b, pointer, element, count);
  for (auto [number, value] : llvm::enumerate(values)) {
    Value place = LLVM::GEPOp::create(b, pointer, element, array, ArrayRef<LLVM::GEPArg>{int32_t(number)});
    LLVM::StoreOp::create(b, value, place);
  }
  return array;
}

/// A list of extents per parameter. A 1 stands behind each: a function that reads
/// an extent too many, as for a tensor of rank 0, finds no stray number.
Value NativeCalls::makeShapes(ImplicitLocOpBuilder &b, ArrayRef<ShapedType> types) {
  SmallVector<Value> shapes;
  for (ShapedType type : types) {
    SmallVector<Value> extents;
    for (int64_t extent : type.getShape())
      extents.push_back(makeNumber(b, i64, extent));
    extents.push_back(makeNumber(b, i64, 1));
    shapes.push_back(makeArray(b, i64, extents));
  }
  return makeArray(b, pointer, shapes);
}

Value NativeCalls::makeDtype(ImplicitLocOpBuilder &b, StringRef dtype) {
  LLVM::GlobalOp &global = dtypes[dtype];
  if (!global) {
    std::string text = (dtype + StringRef("\0", 1)).str();
    OpBuilder builder(context);
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    global = LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Private,
                                    ("plumb_dtype_" + dtype).str(), builder.getStringAttr(text));
    symbols.insert(global, module.getBody().front().begin());
  }
  return LLVM::AddressOfOp::create(b, global);
}

/// A function that takes pointers to the inputs, the outputs and the status.
LLVM::LLVMFuncOp NativeCalls::buildCaller(native::CallOp call) {
  SmallVector<ShapedType> types = getParameters(call);
  SmallVector<Type> arguments(types.size() + 1, pointer);
  LLVM::LLVMFuncOp callee = getFunction(call);
  LLVM::LLVMFuncOp caller =
      declare(call.getLoc(), "plumb_call_" + call.getFunction(), LLVM::LLVMVoidType::get(context), arguments);
  OpBuilder anywhere(context);
  Block *block = caller.addEntryBlock(anywhere);
  ImplicitLocOpBuilder b = ImplicitLocOpBuilder::atBlockEnd(call.getLoc(), block);
  SmallVector<Value> parameters(block->getArguments().drop_back()), ranks, names;
  for (auto [type, dtype] : llvm::zip_equal(types, call.getDtypes().getAsValueRange<StringAttr>())) {
    ranks.push_back(makeNumber(b, i32, type.getRank()));
    names.push_back(makeDtype(b, dtype));
  }
  Value none = LLVM::ZeroOp::create(b, pointer);
  Value status = LLVM::CallOp::create(b, callee,
                                      ValueRange{makeNumber(b, i32, types.size()), makeArray(b, pointer, parameters),
                                                 makeArray(b, i32, ranks), makeShapes(b, types),
                                                 makeArray(b, pointer, names), none, none})
                     .getResult();
  LLVM::StoreOp::create(b, status, block->getArguments().back());
  LLVM::ReturnOp::create(b, ValueRange());
  return caller;
}

LLVM::LLVMFuncOp NativeCalls::getCaller(native::CallOp call) {
  SmallVector<Attribute> types;
  for (ShapedType type : getParameters(call))
    types.push_back(TypeAttr::get(type));
  CallKey key = {call.getFunctionAttr(), call.getSource(), call.getDtypes(), ArrayAttr::get(context, types)};
  LLVM::LLVMFuncOp &caller = callers[key];
  if (!caller)
    caller = buildCaller(call);
  return caller;
}

void NativeCalls::convert(native::CallOp call) {
  ImplicitLocOpBuilder b(call.getLoc(), call);
  SmallVector<Value> addresses;
  for (Value buffer : call.getOperands()) {
    Value index = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
    Value address = arith::IndexCastOp::create(b, i64, index);
    addresses.push_back(LLVM::IntToPtrOp::create(b, pointer, address));
  }
  LLVM::CallOp::create(b, getCaller(call), addresses);
  call.erase();
}

namespace {
struct ConvertNativeCallsToLLVM : plumb::impl::ConvertNativeCallsToLLVMPassBase<ConvertNativeCallsToLLVM> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>()) {
      SmallVector<native::CallOp> calls;
      module.walk([&](native::CallOp call) { calls.push_back(call); });
      NativeCalls converter(module);
      for (native::CallOp call : calls)
        converter.convert(call);
    }
  }
};
} // namespace
