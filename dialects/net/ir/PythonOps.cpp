// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python-level ops: verifiers for what their operand lists do not say.

#include "dialects/net/ir/NetPythonOps.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetPythonOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerPythonOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetPythonOps.cpp.inc"
      >();
}

LogicalResult PythonCallOp::verify() {
  // python_call_c1
  std::optional<ArrayAttr> names = getArgNames();
  if (names && names->size() != getArgs().size())
    return emitOpError() << "has " << getArgs().size() << " arguments, but " << names->size() << " names for them";
  return success();
}

/// Returns how many operands an operator of Python takes; zero if there is none of that name.
static unsigned getOperatorArity(StringRef name) {
  return llvm::StringSwitch<unsigned>(name)
      .Cases({"neg", "pos", "invert", "not"}, 1)
      .Cases({"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"}, 2)
      .Cases({"lshift", "rshift", "and", "or", "xor"}, 2)
      .Cases({"eq", "ne", "lt", "le", "gt", "ge"}, 2)
      .Cases({"is", "is_not", "in", "not_in"}, 2)
      .Default(0);
}

LogicalResult PythonOperatorOp::verify() {
  // python_operator_c1
  unsigned arity = getOperatorArity(getName());
  if (arity == 0)
    return emitOpError() << "'" << getName() << "' is no operator of Python";
  if (arity != getArgs().size())
    return emitOpError() << "'" << getName() << "' takes " << arity << " operands, but has " << getArgs().size();
  return success();
}

LogicalResult PythonDictOp::verify() {
  // python_dict_c1
  if (getKeys().size() != getValues().size())
    return emitOpError() << "has " << getKeys().size() << " keys, but " << getValues().size() << " values";
  return success();
}

LogicalResult PythonWhileOp::verify() {
  // python_while_c1
  Region &region = getConditionRegion();
  if (region.empty() || region.front().empty() || !llvm::isa<PythonConditionOp>(region.front().back()))
    return emitOpError() << "needs net.python.condition at the end of its first region";
  return success();
}

LogicalResult PythonTryOp::verify() {
  // python_try_c1
  if (getBody().empty() || (getHandler().empty() && getLast().empty()))
    return emitOpError() << "needs a body, and a handler or a last block";
  return success();
}

/// Says whether a loop stands around `op` within its function.
static bool isInLoop(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    if (llvm::isa<PythonFuncOp>(parent))
      return false;
    if (llvm::isa<PythonForOp, PythonWhileOp>(parent))
      return true;
  }
  return false;
}

LogicalResult PythonBreakOp::verify() {
  // python_break_c1
  return isInLoop(*this) ? success() : emitOpError() << "stands in no loop";
}

LogicalResult PythonContinueOp::verify() {
  // python_continue_c1
  return isInLoop(*this) ? success() : emitOpError() << "stands in no loop";
}

} // namespace plumb::net
