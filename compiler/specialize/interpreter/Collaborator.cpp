// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/interpreter/Collaborator.h"

#include "compiler/specialize/interpreter/Interpreter.h"

namespace plumb::specialize {

Collaborator::Collaborator(Workspace &workspace, Interpreter &interpreter)
    : Part(workspace), interpreter(interpreter), live(interpreter.live), knownTensors(interpreter.knownTensors),
      identities(interpreter.identities), writer(interpreter.writer), arithmetic(interpreter.arithmetic),
      run(interpreter.run), joins(interpreter.joins), madeObjects(interpreter.madeObjects),
      changes(interpreter.changes), closures(interpreter.closures), exits(interpreter.exits),
      raises(interpreter.raises) {}

} // namespace plumb::specialize
