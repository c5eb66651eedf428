// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the upper floor of the interpreter's collaborators works with: those that have it run statements or call
// functions of the program.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_COLLABORATOR_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_COLLABORATOR_H

#include "compiler/specialize/run/Closures.h"
#include "compiler/specialize/run/Exits.h"
#include "compiler/specialize/run/Raises.h"
#include "compiler/specialize/tensors/KnownTensors.h"
#include "compiler/specialize/tensors/Reports.h"
#include "compiler/specialize/tensors/TensorIdentities.h"

namespace plumb::specialize {

class Interpreter;

/// Base of such a collaborator. It has those below, and reaches the others of its floor through the interpreter.
class Collaborator : public Part {
public:
  Collaborator(Workspace &workspace, Interpreter &interpreter);

protected:
  Interpreter &interpreter;
  LiveProcess &live;
  KnownTensors &knownTensors;
  TensorIdentities &identities;
  TensorWriter &writer;
  TensorArithmetic &arithmetic;
  Run &run;
  Joins &joins;
  MadeObjects &madeObjects;
  Changes &changes;
  Closures &closures;
  Exits &exits;
  Raises &raises;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_COLLABORATOR_H
