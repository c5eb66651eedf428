// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Token types by kind of state.

#ifndef PLUMB_COMPILER_AUTO_MONAD_TOKENS_H
#define PLUMB_COMPILER_AUTO_MONAD_TOKENS_H

#include "dialects/net/ir/NetBase.h"

namespace plumb {

/// Whether `type` is that of a state token.
inline bool isTokenType(mlir::Type type) { return mlir::isa<net::UType, net::IOType>(type); }

/// The type of the tokens that order state of `kind`.
inline mlir::Type getTokenType(mlir::MLIRContext *context, net::TokenKind kind) {
  return kind == net::TokenKind::Memory ? mlir::Type(net::UType::get(context)) : mlir::Type(net::IOType::get(context));
}

} // namespace plumb

#endif // PLUMB_COMPILER_AUTO_MONAD_TOKENS_H
