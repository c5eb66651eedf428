// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's own methods, its types and its attributes. Ops register theme by theme, each
// in the file that defines them, so that no single file compiles all of the generated code.

#include "dialects/net/ir/NetBase.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/net/ir/NetDialect.cpp.inc"

#include "dialects/net/ir/NetInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/net/ir/NetTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/net/ir/NetAttrs.cpp.inc"

using namespace mlir;

namespace plumb::net {

void NetDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/net/ir/NetTypes.cpp.inc"
      >();
}

/// What `#device.init`, which it becomes, asks for.
LogicalResult InitAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef kind, ArrayAttr parameters,
                               int64_t stream) {
  if (kind.empty())
    return emitError() << "an initial value needs the name of its rule";
  for (Attribute parameter : parameters)
    if (auto number = llvm::dyn_cast<FloatAttr>(parameter); !number || !number.getType().isF64())
      return emitError() << "a parameter of rule '" << kind << "' must be an f64 number, got " << parameter;
  if (stream < 0)
    return emitError() << "the random stream of rule '" << kind << "' must not be negative, got " << stream;
  return success();
}

void NetDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/net/ir/NetAttrs.cpp.inc"
      >();
}

void NetDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerModuleOps();
  registerPythonOps();
  registerStateOps();
  registerGradOps();
  registerConstantOps();
  registerElementwiseOps();
  registerBinaryOps();
  registerMathOps();
  registerShapeOps();
  registerReduceOps();
  registerAxisOps();
  registerContractionOps();
  registerLinalgOps();
  registerPoolOps();
  registerSoftmaxOps();
  registerIndexOps();
}

Operation *NetDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = llvm::dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

} // namespace plumb::net
