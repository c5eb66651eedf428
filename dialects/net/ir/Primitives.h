// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primitives: what Python may call, under which name, with which parameters. The table is
// read off the signatures in the op records, so a new op needs no second place.

#ifndef PLUMB_DIALECTS_NET_IR_PRIMITIVES_H
#define PLUMB_DIALECTS_NET_IR_PRIMITIVES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace plumb::net {

/// What a parameter of a primitive takes. Tensors become operands, all others
/// attributes of the same name.
enum class ParamKind {
  /// One tensor: an operand.
  Tensor,
  /// Any number of tensors: the operands that are left.
  VariadicTensor,
  /// DenseI64ArrayAttr; a single int stands for a list of one.
  Ints,
  /// IntegerAttr of i64.
  Int,
  /// FloatAttr of f64.
  Float,
  /// BoolAttr.
  Bool,
  /// StringAttr.
  Str,
  /// TypeAttr of the element type.
  Dtype,
};

/// One parameter of a primitive.
struct PrimitiveParam {
  llvm::StringRef name;
  ParamKind kind;
  /// Null where the caller must give a value.
  mlir::Attribute defaultValue;
};

/// One primitive: the op behind a name that Python calls.
struct PrimitiveInfo {
  /// Infers result types; errors go to the location.
  using InferFn = llvm::LogicalResult (*)(mlir::MLIRContext *, mlir::Location, mlir::ValueRange, mlir::DictionaryAttr,
                                          llvm::SmallVectorImpl<mlir::Type> &);

  /// What Python calls it: the op's mnemonic.
  llvm::StringRef name;
  /// The op's full name.
  llvm::StringRef opName;
  llvm::SmallVector<PrimitiveParam> params;
  InferFn inferResultTypes = nullptr;
};

/// All primitives of a context, by name.
class PrimitiveTable {
public:
  /// Adds the op `opName` with its signature, e.g. `x, axis: ints = [], keep_dims: bool = False`.
  void add(mlir::MLIRContext *context, llvm::StringRef opName, llvm::StringRef signature, PrimitiveInfo::InferFn infer);

  /// Returns the primitive of that name, or null.
  const PrimitiveInfo *lookup(llvm::StringRef name) const;

  /// Returns the name that differs least from `name`, or an empty string if none is near.
  llvm::StringRef findSimilar(llvm::StringRef name) const;

private:
  llvm::StringMap<PrimitiveInfo> primitives;
};

/// Returns the primitive of that name, or null; loads the net dialect if need be.
const PrimitiveInfo *lookupPrimitive(mlir::MLIRContext *context, llvm::StringRef name);

/// Creates the op of a primitive with inferred result types. Attributes that are not given take
/// their defaults. Says what is wrong at `loc` and fails otherwise.
llvm::FailureOr<mlir::Operation *> buildPrimitive(mlir::OpBuilder &builder, mlir::Location loc,
                                                  const PrimitiveInfo &info, llvm::ArrayRef<mlir::Value> operands,
                                                  llvm::ArrayRef<mlir::NamedAttribute> attributes);

namespace detail {

template <typename Op, typename = void> struct IsPrimitive : std::false_type {};
template <typename Op> struct IsPrimitive<Op, std::void_t<decltype(Op::getPythonSignature())>> : std::true_type {};

/// Calls the op's own inference with properties made from `attributes`.
template <typename Op>
llvm::LogicalResult inferPrimitive(mlir::MLIRContext *context, mlir::Location loc, mlir::ValueRange operands,
                                   mlir::DictionaryAttr attributes, llvm::SmallVectorImpl<mlir::Type> &types) {
  using Properties = typename Op::Properties;
  Properties properties;
  if constexpr (!std::is_same_v<Properties, mlir::EmptyProperties>) {
    auto emitError = [&] { return mlir::emitError(loc); };
    if (llvm::failed(Op::setPropertiesFromAttr(properties, attributes, emitError)))
      return llvm::failure();
  }
  return Op::inferReturnTypes(context, loc, operands, attributes, &properties, {}, types);
}

/// Enters `Op` into the table if Python can call it.
template <typename Op> void addPrimitive(PrimitiveTable &table, mlir::MLIRContext *context) {
  if constexpr (IsPrimitive<Op>::value)
    table.add(context, Op::getOperationName(), Op::getPythonSignature(), &inferPrimitive<Op>);
}

} // namespace detail
} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_PRIMITIVES_H
