// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/Collaborator.h"

#include "compiler/specialize/Interpreter.h"

namespace plumb::specialize {

Collaborator::Collaborator(Workspace &workspace, Interpreter &interpreter)
    : Part(workspace), interpreter(interpreter), live(interpreter.live), knownTensors(interpreter.knownTensors),
      writer(interpreter.writer), arithmetic(interpreter.arithmetic) {}

} // namespace plumb::specialize
