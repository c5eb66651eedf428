// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inner functions and the names that they see. See Closures.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_CLOSURES_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_CLOSURES_H

#include "compiler/specialize/run/Run.h"

namespace plumb::specialize {

/// Makes closures, and gives them the values of the names that they see.
class Closures : public Part {
public:
  Closures(Workspace &workspace, Run &run) : Part(workspace), run(run) {}

  /// What the front end makes of a definition: the function's symbol, then the names that it captures.
  AbstractValue make(const Arguments &arguments);
  /// Gives the closures of the running frame in `value` the present values of its names.
  void refresh(const AbstractValue &value);
  net::PythonFuncOp getFunction(const AbstractValue &closure);
  /// What a call of a closure passes: before the keywords of `arguments` the names that it captures.
  Arguments addCaptured(const AbstractValue &closure, const Arguments &arguments);

private:
  class Refresher;

  Run &run;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_CLOSURES_H
