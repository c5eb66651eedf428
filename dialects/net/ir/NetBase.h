// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every op header of the dialect needs: the dialect, its types, attributes and interfaces.

#ifndef PLUMB_DIALECTS_NET_IR_NETBASE_H
#define PLUMB_DIALECTS_NET_IR_NETBASE_H

#include "dialects/net/ir/Primitives.h"
#include "dialects/types/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace plumb::net {

/// Which state an effect touches.
enum class TokenKind {
  /// Parameters and random state: `!net.u`.
  Memory,
  /// What a person sees: `!net.io`.
  IO,
};

/// Where the integers of an operand must lie.
struct IndexRange {
  mlir::Value indices;
  int64_t lowest, highest;
  /// What they number, for messages; empty for classes.
  std::string use;
};

/// Marks ops that add or multiply many elements into one; of f16 and bf16 they accumulate in f32.
template <typename ConcreteType> class Accumulates : public mlir::OpTrait::TraitBase<ConcreteType, Accumulates> {};

} // namespace plumb::net

#include "dialects/net/ir/NetDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/net/ir/NetTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/net/ir/NetAttrs.h.inc"

#include "dialects/net/ir/NetInterfaces.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETBASE_H
