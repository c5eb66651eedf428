// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient functions. `grad`, `value_and_grad` and GradOperation give objects;
// calling one specialises the function inside and becomes net.value_and_grad,
// whose results are put into the tuples that MindSpore returns:
//
//   value_and_grad(f, None, weights)(x)   -> (value, (dw, …))
//   grad(f, 0)(x)                         -> dx
//   GradOperation(get_all=True)(f)(x, y)  -> (dx, dy)
//   GradOperation(get_all=True, get_by_list=True)(f, weights)(x)
//                                         -> ((dx,), (dw, …))

#include "compiler/specialize/interpreter/Gradients.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetShapeOps.h"

#include "mlir/Dialect/Traits.h"

using namespace mlir;

namespace plumb::specialize {

/// A gradient function's options, read off their attribute form.
struct GradientOptions {
  SmallVector<unsigned> positions; ///< Arguments to differentiate by.
  bool byAll = false;              ///< By every argument instead.
  SmallVector<FlatSymbolRefAttr> weights;
  bool byWeights = false; ///< Whether the weights' gradients are returned.
  bool hasValue = false, hasAux = false, hasSens = false;
  bool isSingle = false;       ///< One position's gradient is no tuple.
  bool isSingleWeight = false; ///< Nor is one weight's.
  bool hasIds = false;         ///< Each gradient stands behind its position, or its Parameter's name.

  explicit GradientOptions(DictionaryAttr attribute) {
    auto flag = [&](StringRef name) {
      auto value = attribute.getAs<BoolAttr>(name);
      return value && value.getValue();
    };
    for (Attribute position : attribute.getAs<ArrayAttr>("argnums"))
      positions.push_back(cast<IntegerAttr>(position).getInt());
    for (Attribute weight : attribute.getAs<ArrayAttr>("weights"))
      weights.push_back(cast<FlatSymbolRefAttr>(weight));
    byAll = flag("all");
    byWeights = flag("by_weights");
    hasValue = flag("value");
    hasAux = flag("has_aux");
    hasSens = flag("sens");
    isSingle = flag("single");
    isSingleWeight = flag("single_weight");
    hasIds = flag("ids");
  }
};

AbstractValue Gradients::make(net::GradAttr attribute) {
  // One number below 0 stands for all arguments of a call.
  bool byAll = attribute.getArgnums() == builder.getI64ArrayAttr({-1});
  SmallVector<NamedAttribute> options = {
      builder.getNamedAttr("argnums", byAll ? builder.getArrayAttr({}) : attribute.getArgnums()),
      builder.getNamedAttr("all", builder.getBoolAttr(byAll)),
      builder.getNamedAttr("weights", attribute.getWeights()),
      builder.getNamedAttr("by_weights", builder.getBoolAttr(!attribute.getWeights().empty())),
      builder.getNamedAttr("value", builder.getBoolAttr(attribute.getValue())),
      builder.getNamedAttr("has_aux", builder.getBoolAttr(attribute.getHasAux())),
      builder.getNamedAttr("sens", builder.getBoolAttr(attribute.getSens())),
      builder.getNamedAttr("single", builder.getBoolAttr(attribute.getSingle())),
      builder.getNamedAttr("single_weight", builder.getBoolAttr(attribute.getSingleWeight())),
      builder.getNamedAttr("ids", builder.getBoolAttr(attribute.getReturnIds()))};
  return AbstractValue::getGradient(AbstractValue::getConstant(attribute.getFn()), builder.getDictionaryAttr(options));
}

/// The Parameters of a gradient: one, a sequence, or None, as an empty one.
FailureOr<ArrayAttr> Gradients::getWeights(Location location, const AbstractValue &weights) {
  SmallVector<Attribute> parameters;
  if (isNone(weights))
    return builder.getArrayAttr(parameters);
  for (const AbstractValue &weight : weights.isSequence() ? weights.getElements() : ArrayRef(weights)) {
    if (!getParameter(weight))
      return error(location) << "TypeError: the weights of a gradient must be "
                             << "Parameters, not " << weight.describe();
    parameters.push_back(weight.getConstant());
  }
  return builder.getArrayAttr(parameters);
}

Result Gradients::makeFunction(Location location, bool hasValue, const Arguments &arguments) {
  const AbstractValue *function = arguments.find(0, "fn");
  const AbstractValue *position = arguments.find(1, "grad_position");
  const AbstractValue *weights = arguments.find(2, "weights");
  const AbstractValue *aux = arguments.find(3, "has_aux");
  if (!function)
    return error(location) << "TypeError: a gradient needs a function or a Cell";
  const AbstractValue *ids = arguments.find(4, "return_ids");
  SmallVector<int64_t> positions;
  if (!position) {
    positions.push_back(0);
  } else if (!isNone(*position)) {
    auto given = getIntegers(location, "grad_position", *position);
    if (failed(given))
      return failure();
    positions = *given;
  }
  bool byWeights = weights && !isNone(*weights);
  auto parameters = byWeights ? getWeights(location, *weights) : FailureOr<ArrayAttr>(builder.getArrayAttr({}));
  if (failed(parameters))
    return failure();
  if (positions.empty() && !byWeights)
    return error(location) << "ValueError: grad_position and weights cannot both be None";
  auto hasAux = aux ? getInteger(*aux) : std::optional<int64_t>(0);
  bool isSingle = !position || !position->isSequence();
  bool isSingleWeight = byWeights && !weights->isSequence();
  SmallVector<NamedAttribute> options = {
      builder.getNamedAttr("argnums", builder.getI64ArrayAttr(positions)),
      builder.getNamedAttr("weights", *parameters),
      builder.getNamedAttr("by_weights", builder.getBoolAttr(byWeights)),
      builder.getNamedAttr("value", builder.getBoolAttr(hasValue)),
      builder.getNamedAttr("single", builder.getBoolAttr(isSingle)),
      builder.getNamedAttr("single_weight", builder.getBoolAttr(isSingleWeight)),
      builder.getNamedAttr("has_aux", builder.getBoolAttr(hasAux && *hasAux)),
      builder.getNamedAttr("ids", builder.getBoolAttr(ids && getInteger(*ids) != 0))};
  return AbstractValue::getGradient(*function, builder.getDictionaryAttr(options));
}

Result Gradients::make(Location location, net::PrimitiveAttr operation, const Arguments &arguments) {
  DictionaryAttr config = operation.getConfig();
  auto flag = [&](StringRef name) {
    auto value = config ? config.getAs<BoolAttr>(name) : BoolAttr();
    return value && value.getValue();
  };
  const AbstractValue *function = arguments.find(0, "fn");
  const AbstractValue *weights = arguments.find(1, "weights");
  if (!function)
    return error(location) << "TypeError: GradOperation takes a function or a Cell";
  bool byList = flag("get_by_list"), all = flag("get_all");
  if (byList && !weights)
    return error(location) << "TypeError: GradOperation(get_by_list=True) needs the "
                           << "weights as its second argument";
  auto parameters = byList ? getWeights(location, *weights) : FailureOr<ArrayAttr>(builder.getArrayAttr({}));
  if (failed(parameters))
    return failure();
  SmallVector<Attribute> positions;
  if (!byList && !all)
    positions.push_back(builder.getI64IntegerAttr(0));
  SmallVector<NamedAttribute> options = {
      builder.getNamedAttr("argnums", builder.getArrayAttr(positions)),
      builder.getNamedAttr("weights", *parameters),
      builder.getNamedAttr("by_weights", builder.getBoolAttr(byList)),
      builder.getNamedAttr("all", builder.getBoolAttr(all)),
      builder.getNamedAttr("single", builder.getBoolAttr(!all)),
      builder.getNamedAttr("single_weight", builder.getBoolAttr(byList && !weights->isSequence() && !isNone(*weights))),
      builder.getNamedAttr("sens", builder.getBoolAttr(flag("sens_param")))};
  return AbstractValue::getGradient(*function, builder.getDictionaryAttr(options));
}

/// Splits off the adjoint of the result, the last argument or `sens`.
static std::optional<AbstractValue> takeSens(Arguments &arguments) {
  auto *keyword = llvm::find_if(arguments.keywords, [](auto &pair) { return pair.first == "sens"; });
  if (keyword != arguments.keywords.end()) {
    AbstractValue value = keyword->second;
    arguments.keywords.erase(keyword);
    return value;
  }
  if (arguments.positional.empty())
    return std::nullopt;
  return arguments.positional.pop_back_val();
}

static unsigned countTensors(const AbstractValue &value) {
  unsigned count = 0;
  value.walkTensors([&](Value) { ++count; });
  return count;
}

/// `sens` in the shape of the function's result, which one element always has
/// and others by broadcasting; null where the shapes do not fit.
static Value fitAdjoint(OpBuilder &builder, Location location, Value sens, RankedTensorType type) {
  auto given = llvm::cast<RankedTensorType>(sens.getType());
  if (given == type)
    return sens;
  if (given.getNumElements() == 1)
    sens = net::ReshapeOp::create(builder, location, sens, ArrayRef<int64_t>());
  SmallVector<int64_t> shape;
  auto from = llvm::cast<RankedTensorType>(sens.getType()).getShape();
  if (!OpTrait::util::getBroadcastedShape(from, type.getShape(), shape) || ArrayRef<int64_t>(shape) != type.getShape())
    return nullptr;
  return type.getRank() == 0 ? sens : net::BroadcastToOp::create(builder, location, sens, type.getShape());
}

/// What a tuple or list holds, also in tuples and lists inside.
static void collectLeaves(const AbstractValue &value, SmallVectorImpl<AbstractValue> &leaves) {
  if (!value.isSequence())
    return leaves.push_back(value);
  for (const AbstractValue &element : value.getElements())
    collectLeaves(element, leaves);
}

/// The adjoint of a result of type `type`: a number stands for a tensor full of it.
FailureOr<Value> Gradients::makeAdjoint(Location location, const AbstractValue &given, RankedTensorType type) {
  if (auto number = given.isConstant() ? getNumber(given.getConstant()) : std::nullopt) {
    auto scalar = writer.makeScalar(location, *number, type.getElementType()).getDefiningOp<net::ConstantOp>();
    return writer.makeConstant(location, llvm::cast<DenseElementsAttr>(scalar.getValue()).resizeSplat(type));
  }
  auto tensor = writer.toTensor(location, given, type.getElementType());
  auto converted = failed(tensor) ? tensor : writer.cast(location, *tensor, type.getElementType());
  if (failed(converted))
    return failure();
  Value fitted = fitAdjoint(builder, location, *converted, type);
  if (!fitted)
    return error(location) << "sens is a tensor of " << describeType(converted->getType())
                           << ", but the function returns " << describeType(type);
  return fitted;
}

/// Adjoints for every tensor result: those given, else ones. What containers hold afterwards are results behind the
/// function's own, of adjoint zero.
LogicalResult Gradients::makeAdjoints(Location location, const Specialization &function, const AbstractValue *given,
                                      SmallVectorImpl<Value> &adjoints) {
  SmallVector<AbstractValue> leaves;
  if (given)
    collectLeaves(*given, leaves);
  SmallVector<RankedTensorType> types;
  function.result.walkTensors([&](Value tensor) { types.push_back(llvm::cast<RankedTensorType>(tensor.getType())); });
  if (given && leaves.size() != types.size())
    return error(location) << "TypeError: sens holds " << leaves.size() << " values, but the function returns "
                           << types.size();
  for (auto [index, type] : llvm::enumerate(types)) {
    auto adjoint = makeAdjoint(location, given ? leaves[index] : integer(1), type);
    if (failed(adjoint))
      return failure();
    adjoints.push_back(*adjoint);
  }
  func::FuncOp typed = function.function;
  for (Type type : typed.getResultTypes().drop_front(function.ownResults))
    adjoints.push_back(writer.makeConstant(location, net::splatOf(llvm::cast<RankedTensorType>(type), 0)));
  return success();
}

/// Whether a tensor has a gradient: one of floats, or of integers, as if these
/// were floats.
static bool hasGradient(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType, ComplexType>(element) || (isa<IntegerType>(element) && !element.isInteger(1));
}

/// Arguments to differentiate by hold tensors; those of booleans have gradients
/// of `false`, and where there are several, numbers have none.
LogicalResult Gradients::prepareArguments(Location location, bool byAll, SmallVectorImpl<unsigned> &positions,
                                          Arguments &arguments) {
  if (byAll)
    positions = llvm::to_vector(llvm::seq<unsigned>(0, arguments.positional.size()));
  if (arguments.positional.empty() && arguments.keywords.empty())
    positions.clear(); // The gradients by no inputs are none.
  for (unsigned position : positions) {
    if (position >= arguments.positional.size())
      return error(location) << "IndexError: the gradient by argument " << position << " was asked for, but only "
                             << arguments.positional.size() << " positional arguments were given";
    AbstractValue &argument = arguments.positional[position];
    if (!argument.isTensor() && isTensorLike(argument)) {
      auto tensor = writer.toTensor(location, argument);
      if (failed(tensor))
        return failure();
      argument = AbstractValue::getTensor(*tensor);
    }
    if (!byAll && positions.size() == 1 && countTensors(argument) == 0)
      return error(location) << "TypeError: argument " << position << " has no gradient: it is " << argument.describe()
                             << ", not a tensor";
  }
  llvm::erase_if(positions, [&](unsigned position) { return countTensors(arguments.positional[position]) == 0; });
  return success();
}

/// Whether Parameters, constant tensors or nothing but a number are among the results: they are differentiated as well.
bool Gradients::holdsConstants(const AbstractValue &result) {
  if (result.isTensor())
    return false;
  if (result.isSequence() || result.isDictionary())
    return llvm::any_of(result.getElements(),
                        [&](const AbstractValue &element) { return !getNumber(element) && holdsConstants(element); });
  return isTensorLike(result) || getNumber(result);
}

Result Gradients::makeDifferentiable(Location location, const AbstractValue &result) {
  if (!holdsConstants(result))
    return result;
  if (!result.isSequence() && !result.isDictionary()) {
    auto tensor = writer.toTensor(location, result);
    return failed(tensor) ? Result(failure()) : Result(AbstractValue::getTensor(*tensor));
  }
  SmallVector<AbstractValue> elements;
  for (const AbstractValue &element : result.getElements()) {
    Result made = getNumber(element) ? Result(element) : makeDifferentiable(location, element);
    if (failed(made))
      return failure();
    elements.push_back(*made);
  }
  return result.withElements(elements);
}

/// The typed function to differentiate, with what to pass to it.
FailureOr<Callee> Gradients::specialize(Location location, const AbstractValue &function, const Arguments &arguments) {
  auto callee = interpreter.calls.specialize(location, function, arguments, Use::Gradient);
  if (succeeded(callee) && holdsConstants(callee->specialization->result))
    return interpreter.calls.specialize(location, function, arguments, Use::Gradient, /*asTensors=*/true);
  return callee;
}

Result Gradients::refuseWithoutTensors(Location location, const Specialization &function) {
  auto diagnostic = error(location) << "only a function that returns a tensor has "
                                    << "a gradient, but this one returns " << function.result.describe();
  diagnostic.attachNote(func::FuncOp(function.function).getLoc()) << "the function is defined here";
  return diagnostic;
}

Result Gradients::call(Location location, const AbstractValue &gradient, const Arguments &given) {
  GradientOptions options(llvm::cast<DictionaryAttr>(gradient.getConstant()));
  Arguments arguments = given;
  std::optional<AbstractValue> sens;
  if (options.hasSens && !(sens = takeSens(arguments)))
    return error(location) << "TypeError: this gradient function needs the adjoint of "
                           << "its result (sens) as its last argument";
  if (failed(prepareArguments(location, options.byAll, options.positions, arguments)))
    return failure();
  auto callee = specialize(location, gradient.getElements().front(), arguments);
  if (failed(callee))
    return failure();
  const Specialization &function = *callee->specialization;
  if (function.ownResults == 0)
    return refuseWithoutTensors(location, function);
  // Without adjoints the first result alone is differentiated, by ones.
  bool adjoints = sens || (function.ownResults > 1 && !options.hasAux);
  if (adjoints && failed(makeAdjoints(location, function, sens ? &*sens : nullptr, callee->operands)))
    return failure();
  auto op = emitValueAndGrad(location, function.function, options, arguments, callee->operands, adjoints);
  if (failed(op))
    return failure();
  ValueRange values = op->getResults();
  unsigned count = func::FuncOp(function.function).getNumResults();
  AbstractValue grads = arrangeGradients(location, options, arguments, values.drop_front(count));
  Result value =
      interpreter.specializations.finishCall(location, function, callee->arguments, values.take_front(count));
  if (failed(value))
    return failure();
  if (options.hasValue)
    return AbstractValue::getTuple({*value, grads});
  if (options.hasAux && value->isSequence())
    return AbstractValue::getTuple({grads, AbstractValue::getTuple(value->getElements().drop_front())});
  return grads;
}

/// Writes the op; positional arguments come first among the callee's tensors.
FailureOr<net::ValueAndGradOp> Gradients::emitValueAndGrad(Location location, func::FuncOp function,
                                                           const GradientOptions &options, const Arguments &arguments,
                                                           ValueRange operands, bool adjoints) {
  SmallVector<Type> types(function.getFunctionType().getResults());
  SmallVector<Attribute> argnums, weights(options.weights.begin(), options.weights.end());
  unsigned offset = 0;
  for (auto [position, argument] : llvm::enumerate(arguments.positional)) {
    bool wanted = llvm::is_contained(options.positions, position);
    argument.walkTensors([&](Value tensor) {
      if (wanted && hasGradient(tensor.getType())) {
        argnums.push_back(builder.getI64IntegerAttr(offset));
        types.push_back(tensor.getType());
      }
      ++offset;
    });
  }
  for (FlatSymbolRefAttr weight : options.weights) {
    auto parameter = symbols.lookup<net::ParameterOp>(weight.getValue());
    if (!parameter)
      return error(location) << "'" << weight.getValue() << "' is not a Parameter";
    types.push_back(parameter.getType());
  }
  auto op = net::ValueAndGradOp::create(builder, location, types, FlatSymbolRefAttr::get(function), operands,
                                        builder.getArrayAttr(argnums), builder.getArrayAttr(weights),
                                        builder.getBoolAttr(adjoints));
  if (options.hasAux || (!adjoints && function.getNumResults() > 1))
    op->setAttr("has_aux", builder.getUnitAttr());
  return op;
}

/// Puts the gradients into the tuples that the caller asked for. They come in
/// the order of the arguments, then of the weights.
AbstractValue Gradients::arrangeGradients(Location location, const GradientOptions &options, const Arguments &arguments,
                                          ValueRange gradients) {
  SmallVector<AbstractValue> inputs(options.positions.size());
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, options.positions.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) { return options.positions[a] < options.positions[b]; });
  auto named = [&](const AbstractValue &name, const AbstractValue &value) {
    return options.hasIds ? AbstractValue::getTuple({name, value}) : value;
  };
  for (unsigned index : order)
    inputs[index] = named(integer(options.positions[index]),
                          takeGradient(location, arguments.positional[options.positions[index]], gradients));
  SmallVector<AbstractValue> weights;
  for (auto [weight, gradient] : llvm::zip(options.weights, gradients))
    weights.push_back(named(string(weight.getValue()), AbstractValue::getTensor(gradient)));
  AbstractValue byInputs =
      inputs.size() == 1 && (options.isSingle || options.hasIds) ? inputs.front() : AbstractValue::getTuple(inputs);
  AbstractValue byWeights = options.isSingleWeight ? weights.front() : AbstractValue::getTuple(weights);
  if (!options.byWeights)
    return byInputs;
  if (!options.byAll && options.positions.empty())
    return byWeights;
  return AbstractValue::getTuple({byInputs, byWeights});
}

/// The gradient by one argument in the argument's own structure; booleans
/// inside have none, so `false` stands for it.
AbstractValue Gradients::takeGradient(Location location, const AbstractValue &argument, ValueRange &gradients) {
  SmallVector<Value> leaves;
  argument.walkTensors([&](Value tensor) {
    auto type = llvm::cast<RankedTensorType>(tensor.getType());
    if (hasGradient(type)) {
      leaves.push_back(gradients.front());
      gradients = gradients.drop_front();
    } else {
      leaves.push_back(writer.makeConstant(location, net::splatOf(type, 0)));
    }
  });
  ValueRange range(leaves);
  return argument.withTensors(range);
}

} // namespace plumb::specialize
