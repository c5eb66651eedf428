// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `raise` and `assert` on what only the running program knows. See Raises.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_RAISES_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_RAISES_H

#include "compiler/specialize/run/Run.h"
#include "compiler/specialize/tensors/LiveProcess.h"
#include "compiler/specialize/tensors/TensorWriter.h"

namespace plumb::specialize {

/// Raises exceptions, whose texts are formats in which `{}` stands for a tensor.
class Raises : public Part {
public:
  Raises(Workspace &workspace, Run &run, LiveProcess &live, TensorWriter &writer)
      : Part(workspace), run(run), live(live), writer(writer) {}

  /// Raises what `format` says, its class and its text. `exception` is the live object, or its class, where the program
  /// has it.
  LogicalResult raise(Location location, llvm::StringRef format, llvm::ArrayRef<Value> values = {},
                      const AbstractValue &exception = {});
  /// Raises where a tensor of one boolean holds.
  LogicalResult raiseIf(Location location, const AbstractValue &fails, llvm::StringRef text);
  /// Ends the launch where a tensor of one boolean holds.
  LogicalResult endLaunchIf(Location location, const AbstractValue &fails, llvm::StringRef format,
                            mlir::ValueRange values);
  /// A call of a function that is written already may raise what that raises.
  LogicalResult noteRaises(Location location, const Specialization &specialization);
  /// Refuses what is raised where no handler can hear of it.
  LogicalResult refuseHandled(Location location, std::optional<Location> raised = std::nullopt);
  /// Whether a `try` may hear of what a call of a function raises while the program runs.
  bool mayThrow(const AbstractValue &function) const;
  /// Whether what is raised here is an error of compilation, which a `try` around may handle.
  bool isStatic() const { return run.countConditions() == run.attempted.value_or(0); }

private:
  LogicalResult throwException(Location location, llvm::StringRef format, llvm::ArrayRef<Value> values,
                               const AbstractValue &taken, const AbstractValue &exception = {});

  Run &run;
  LiveProcess &live;
  TensorWriter &writer;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_RAISES_H
