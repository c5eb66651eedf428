// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builder of expansions of math functions.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_MATHBUILDER_H
#define PLUMB_COMPILER_CODEGEN_COMMON_MATHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace plumb {

/// Builds arithmetic on values of one shape, scalar or vector.
class MathBuilder : public mlir::ImplicitLocOpBuilder {
public:
  MathBuilder(mlir::Location location, mlir::OpBuilder &builder, mlir::Type shape)
      : mlir::ImplicitLocOpBuilder(location, builder), shape(shape) {
    f32 = like(getF32Type());
    f64 = like(getF64Type());
    i32 = like(getI32Type());
    i64 = like(getI64Type());
  }

  /// `element` in the shape of the argument.
  mlir::Type like(mlir::Type element) const {
    auto vector = mlir::dyn_cast<mlir::VectorType>(shape);
    return vector ? mlir::Type(vector.clone(element)) : element;
  }
  mlir::Value number(mlir::Type type, double value) {
    return constant(type, mlir::FloatAttr::get(mlir::getElementTypeOrSelf(type), value));
  }
  mlir::Value integer(mlir::Type type, uint64_t value) {
    unsigned bits = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    return constant(type, mlir::IntegerAttr::get(mlir::getElementTypeOrSelf(type), llvm::APInt(bits, value)));
  }
  template <typename Op> mlir::Value make(mlir::Value a, mlir::Value b) { return Op::create(*this, a, b); }
  template <typename Op> mlir::Value cast(mlir::Type type, mlir::Value value) { return Op::create(*this, type, value); }
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return mlir::arith::SelectOp::create(*this, condition, a, b);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate how, mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpFOp::create(*this, how, a, b);
  }
  /// a · b + c, fused where the target has the instruction.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c) {
    auto flags = mlir::arith::FastMathFlags::contract;
    mlir::Value product = mlir::arith::MulFOp::create(*this, a, b, flags);
    return mlir::arith::AddFOp::create(*this, product, c, flags);
  }

  /// `value` limited to [least, most]; NaN stays.
  mlir::Value clamp(mlir::Value value, double least, double most) {
    using mlir::arith::CmpFPredicate;
    mlir::Value low = number(value.getType(), least), high = number(value.getType(), most);
    value = choose(compare(CmpFPredicate::ULT, value, high), value, high);
    return choose(compare(CmpFPredicate::UGT, value, low), value, low);
  }

  /// Horner's scheme, highest power first.
  mlir::Value polynomial(mlir::Value z, llvm::ArrayRef<double> factors) {
    mlir::Value sum = number(z.getType(), factors.front());
    for (double factor : factors.drop_front())
      sum = multiplyAdd(sum, z, number(z.getType(), factor));
    return sum;
  }

  mlir::Type f32, f64, i32, i64;

private:
  mlir::Value constant(mlir::Type type, mlir::TypedAttr element) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      element = mlir::DenseElementsAttr::get(vector, mlir::Attribute(element));
    return mlir::arith::ConstantOp::create(*this, element);
  }

  mlir::Type shape;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_MATHBUILDER_H
