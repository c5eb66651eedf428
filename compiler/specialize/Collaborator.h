// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the upper floor of the interpreter's collaborators works with: those that have it call functions of the program,
// or change its state.

#ifndef PLUMB_COMPILER_SPECIALIZE_COLLABORATOR_H
#define PLUMB_COMPILER_SPECIALIZE_COLLABORATOR_H

#include "compiler/specialize/KnownTensors.h"
#include "compiler/specialize/LiveProcess.h"
#include "compiler/specialize/Reports.h"
#include "compiler/specialize/TensorArithmetic.h"
#include "compiler/specialize/TensorWriter.h"

namespace plumb::specialize {

class Interpreter;

/// Base of such a collaborator. It reaches the others of its floor through the interpreter.
class Collaborator : public Part {
public:
  Collaborator(Workspace &workspace, Interpreter &interpreter);

protected:
  Interpreter &interpreter;
  LiveProcess &live;
  KnownTensors &knownTensors;
  TensorWriter &writer;
  TensorArithmetic &arithmetic;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_COLLABORATOR_H
