// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a call's arguments become the values of a function's parameters. See Binding.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BINDING_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BINDING_H

#include "compiler/specialize/tensors/InterpreterTypes.h"

#include "dialects/net/ir/NetModuleOps.h"

namespace plumb::specialize {

/// Binds as Python does: positions, then keywords, then defaults; one value per declared parameter, with *args and
/// **kwargs last.
FailureOr<llvm::SmallVector<AbstractValue>> bindArguments(Location location, net::PythonFuncOp function,
                                                          const Arguments &arguments);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BINDING_H
