// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that a program brings along. A function of C is called with result
// types that the program gives; a body in MLIR takes the place of its call, so
// that what it computes is optimized, and differentiated, like everything else.

#include "compiler/specialize/interpreter/Primitives.h"

#include "dialects/check/ir/Check.h"
#include "dialects/native/ir/Native.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace plumb::specialize {

static StringRef getText(net::PrimitiveAttr primitive, StringRef name) {
  auto text = primitive.getConfig().getAs<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

FailureOr<SmallVector<Value>> Primitives::getCustomInputs(Location location, StringRef name,
                                                          ArrayRef<AbstractValue> values) {
  SmallVector<Value> inputs;
  for (const AbstractValue &value : values) {
    if (!isTensorLike(value))
      return error(location) << "TypeError: the custom operator '" << name << "' takes tensors, but argument "
                             << inputs.size() << " is " << value.describe();
    auto tensor = writer.toTensor(location, value);
    if (failed(tensor))
      return failure();
    inputs.push_back(*tensor);
  }
  return inputs;
}

/// The result types that shapes and dtypes name, in pairs.
FailureOr<SmallVector<Type>> Primitives::getCustomResults(Location location, StringRef name,
                                                          const AbstractValue &shapes, const AbstractValue &dtypes) {
  SmallVector<Type> types;
  for (auto [shape, dtype] : llvm::zip(shapes.getElements(), dtypes.getElements())) {
    auto extents = getIntegers(location, "out_shape", shape);
    Type element = writer.getDType(dtype);
    if (failed(extents))
      return failure();
    if (!element || llvm::any_of(*extents, [](int64_t extent) { return extent < 0; }))
      return error(location) << "ValueError: result " << types.size() << " of the custom operator '" << name
                             << "' cannot have the shape " << shape.describe() << " and the dtype " << dtype.describe();
    types.push_back(RankedTensorType::get(*extents, element));
    if (std::string size = describeImpossibleSize(types.back()); !size.empty())
      return error(location) << "ValueError: result " << types.size() - 1 << " of the custom operator '" << name << "' "
                             << size;
  }
  return types;
}

/// The call, whose destinations are fresh: all results but the status.
static ResultRange makeCall(OpBuilder &builder, Location location, StringRef name, native::SourceAttr source,
                            ValueRange inputs, SmallVector<Type> types) {
  SmallVector<std::string> dtypes;
  for (Type type : llvm::concat<const Type>(inputs.getTypes(), types))
    dtypes.push_back(native::CallOp::getDtype(type));
  types.push_back(RankedTensorType::get({}, builder.getI32Type()));
  SmallVector<Value> outputs;
  for (Type type : types)
    outputs.push_back(tensor::EmptyOp::create(builder, location, llvm::cast<RankedTensorType>(type).getShape(),
                                              getElementTypeOrSelf(type)));
  auto names = llvm::map_to_vector(dtypes, [](const std::string &dtype) -> StringRef { return dtype; });
  auto call =
      native::CallOp::create(builder, location, types, name, source, builder.getStrArrayAttr(names), inputs, outputs);
  return call.getResults();
}

/// `custom_call(shapes, dtypes, *inputs)`: a tuple of what the function fills.
/// What it returns is asserted to be zero.
Result Primitives::callNativeFunction(Location location, net::PrimitiveAttr primitive, const Arguments &arguments) {
  StringRef name = getText(primitive, "function");
  ArrayRef<AbstractValue> given = arguments.positional;
  auto inputs = getCustomInputs(location, name, given.drop_front(2));
  auto types = getCustomResults(location, name, given[0], given[1]);
  if (failed(inputs) || failed(types))
    return failure();
  auto source = native::SourceAttr::get(context(), getText(primitive, "file"), getText(primitive, "language"),
                                        getText(primitive, "source"));
  ResultRange outputs = makeCall(builder, location, name, source, *inputs, *types);
  check::AssertOp::create(builder, location, outputs.back(),
                          "RuntimeError: the custom operator '" + name.str() + "' returned {}",
                          /*at_once=*/false, ValueRange());
  SmallVector<AbstractValue> results;
  for (Value output : outputs.drop_back())
    results.push_back(AbstractValue::getTensor(output));
  return AbstractValue::getTuple(results);
}

/// Reads a body; what is wrong in it is told with its place in the text.
static OwningOpRef<ModuleOp> parseBody(StringRef text, StringRef name, MLIRContext *context, std::string &problem) {
  llvm::raw_string_ostream os(problem);
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (problem.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
        os << "line " << place.getLine() << ", column " << place.getColumn() << ": ";
      os << diagnostic.str();
    }
    return success();
  });
  return parseSourceString<ModuleOp>(text, ParserConfig(context), name);
}

/// Why `op` cannot stand in a body; empty where it can.
static std::string describeMisfit(Operation *op) {
  static constexpr StringRef dialects[] = {"net", "linalg", "tensor", "arith", "math", "scf"};
  StringRef dialect = op->getName().getDialectNamespace();
  bool isNet = dialect == "net";
  if (!llvm::is_contained(dialects, dialect) || (isNet && !isa<net::LowerableOpInterface, net::ConstantOp>(op)))
    return "a body holds operations of linalg, tensor, arith, math and scf, and "
           "those of net without effects, not '" +
           op->getName().getStringRef().str() + "'";
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<TensorType>(type); tensor && !tensor.hasStaticShape())
      return "the result of '" + op->getName().getStringRef().str() +
             "' has an extent that is not known while compiling";
  return "";
}

/// The one function of a body, if it is one that can take the place of a call.
static func::FuncOp findBody(ModuleOp module, std::string &problem) {
  auto function =
      llvm::hasSingleElement(*module.getBody()) ? dyn_cast<func::FuncOp>(module.getBody()->front()) : func::FuncOp();
  if (!function || !llvm::hasSingleElement(function.getBody())) {
    problem = "a body is one func.func of one block";
    return {};
  }
  for (Operation &op : function.front().without_terminator())
    op.walk([&](Operation *inner) {
      if (problem.empty())
        problem = describeMisfit(inner);
    });
  if (problem.empty() && function.getNumResults() == 0)
    problem = "its function returns nothing";
  return problem.empty() ? function : func::FuncOp();
}

LogicalResult Primitives::checkBody(Location location, StringRef name, func::FuncOp function, ValueRange inputs) {
  ArrayRef<Type> wanted = function.getArgumentTypes();
  if (wanted.size() != inputs.size())
    return error(location) << "TypeError: the custom operator '" << name << "' takes " << wanted.size()
                           << " tensors, but " << inputs.size() << " were given";
  for (auto [number, pair] : llvm::enumerate(llvm::zip(wanted, inputs.getTypes()))) {
    auto [type, given] = pair;
    if (type != given)
      return error(location) << "TypeError: argument " << number << " of the custom operator '" << name
                             << "' must be a tensor of " << describeType(type) << ", but it is one of "
                             << describeType(given);
  }
  return success();
}

/// `custom_body(text, *inputs)`: the operations of the body, here.
Result Primitives::callBody(Location location, net::PrimitiveAttr primitive, const Arguments &arguments) {
  StringRef name = getText(primitive, "name");
  auto text = arguments.positional.front().getAs<StringAttr>();
  auto inputs = getCustomInputs(location, name, ArrayRef(arguments.positional).drop_front());
  if (failed(inputs))
    return failure();
  if (!text)
    return error(location) << "TypeError: the MLIR of the custom operator '" << name << "' must be a string, not "
                           << arguments.positional.front().describe();
  std::string problem;
  auto module = parseBody(text.getValue(), name, context(), problem);
  func::FuncOp function = module ? findBody(*module, problem) : func::FuncOp();
  if (!function)
    return error(location) << "ValueError: the MLIR of the custom operator '" << name
                           << "' cannot be used: " << problem;
  if (failed(checkBody(location, name, function, *inputs)))
    return failure();
  IRMapping values;
  values.map(function.getArguments(), *inputs);
  for (Operation &op : function.front().without_terminator())
    builder.clone(op, values)->walk([&](Operation *copy) { copy->setLoc(location); });
  SmallVector<AbstractValue> results;
  for (Value result : function.front().getTerminator()->getOperands())
    results.push_back(AbstractValue::getTensor(values.lookup(result)));
  return results.size() == 1 ? results.front() : AbstractValue::getTuple(results);
}

} // namespace plumb::specialize
