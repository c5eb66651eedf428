// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are known now.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_NUMBERS_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_NUMBERS_H

#include "compiler/specialize/tensors/AbstractValue.h"

#include <optional>

namespace plumb::specialize {

/// A number known now.
struct Number {
  enum Kind { Bool, Int, Float } kind = Int;
  int64_t integer = 0;
  double real = 0;

  double asReal() const { return kind == Float ? real : double(integer); }
};

/// Element type of a tensor made from a number: i1, i64 or f32.
mlir::Type getDefaultElementType(mlir::MLIRContext *context, Number::Kind kind);

/// Whether elements of a type can have the number's value; a fraction's loss among integers is not looked at.
bool canBeElement(const Number &number, mlir::Type elementType);

/// The number an attribute holds, if it is one.
std::optional<Number> getNumber(mlir::Attribute attribute);
/// The number that a value is, if it is a constant one.
std::optional<Number> getNumber(const AbstractValue &value);
/// The number that a constant tensor of one element holds, if it is one.
std::optional<Number> getElement(const AbstractValue &value);
/// The int or bool that a value is, if it is a constant one.
std::optional<int64_t> getInteger(const AbstractValue &value);

/// Python's ==, of an int and a float as well.
bool areEqualNumbers(const Number &left, const Number &right);
/// -1, 0 or 1 by the order of two numbers, as exact as Python's; 2 where there is none.
int compareNumbers(const Number &left, const Number &right);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_NUMBERS_H
