// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows attribute chains on objects that are known: members of modules, and
// members and methods of cells.
//
//   %0 = net.python.constant @plumb.ops
//   %1 = net.python.getattr %0, "reshape"
//     =>  %1 = net.python.constant #net.primitive<"reshape">
//
// Attributes of `self` and of tensors stay: what they are depends on the call.
// So do members that some function assigns, but for parameters, whose cell
// member is the parameter itself whatever its value. A module without the asked
// member is an error here; a cell may be guarded by hasattr, so a missing member
// of a cell waits for the interpreter.
//
// Tests: test/compiler/resolve/resolve_attributes*.mlir.

#include "compiler/resolve/Passes.h"
#include "compiler/resolve/Suggestions.h"
#include "compiler/support/LivePython.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "dialects/net/ir/NetPythonOps.h"
#include "mlir/IR/Builders.h"

namespace plumb {
#define GEN_PASS_DEF_RESOLVEATTRIBUTESPASS
#include "compiler/resolve/Passes.h.inc"

namespace {

using namespace mlir;

LogicalResult reportMissing(net::PythonGetattrOp getattr, net::NamespaceOp space) {
  SmallVector<StringRef> known;
  for (NamedAttribute member : space.getMembers())
    known.push_back(member.getName());
  auto diagnostic = emitError(getattr.getLoc())
                    << "the module '" << space.getSymName() << "' has no attribute '" << getattr.getName() << "'";
  StringRef similar = findSimilar(getattr.getName(), known);
  if (!similar.empty())
    diagnostic << "; did you mean '" << similar << "'?";
  return diagnostic;
}

/// What `object.name` is, or null if that is not known yet.
FailureOr<Attribute> lookUp(net::PythonGetattrOp getattr, Attribute object, const SymbolTable &symbols) {
  auto symbol = dyn_cast<FlatSymbolRefAttr>(object);
  Operation *owner = symbol ? symbols.lookup(symbol.getValue()) : nullptr;
  StringAttr name = getattr.getNameAttr();
  if (auto space = dyn_cast_or_null<net::NamespaceOp>(owner)) {
    if (Attribute member = space.getMembers().get(name))
      return member;
    // The interpreter asks the live process for members made known late.
    if (LivePython::get(space.getContext()))
      return Attribute();
    return reportMissing(getattr, space);
  }
  auto cell = dyn_cast_or_null<net::CellOp>(owner);
  if (!cell)
    return Attribute();
  if (Attribute member = cell.getMembers().get(name))
    return member;
  auto method = dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMethods().get(name));
  if (!method)
    return Attribute();
  return Attribute(net::MethodAttr::get(cell.getContext(), method, symbol));
}

LogicalResult resolve(net::PythonGetattrOp getattr, const SymbolTable &symbols) {
  auto object = getattr.getObject().getDefiningOp<net::PythonConstantOp>();
  if (!object)
    return success();
  auto value = lookUp(getattr, object.getValue(), symbols);
  if (failed(value))
    return failure();
  if (!*value)
    return success();
  OpBuilder builder(getattr);
  auto constant = net::PythonConstantOp::create(builder, getattr.getLoc(), *value);
  getattr.replaceAllUsesWith(constant.getResult());
  getattr.erase();
  if (object->use_empty())
    object.erase();
  return success();
}

/// The names under which some function sets an attribute of an object.
llvm::DenseSet<StringAttr> getSetNames(ModuleOp module) {
  llvm::DenseSet<StringAttr> names;
  module.walk([&](net::PythonSetattrOp op) { names.insert(op.getNameAttr()); });
  return names;
}

struct ResolveAttributes : impl::ResolveAttributesPassBase<ResolveAttributes> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::DenseSet<StringAttr> set = getSetNames(getOperation());
    bool isValid = true;
    // Program order: the object of a chain's next link is resolved before it.
    getOperation().walk(
        [&](net::PythonGetattrOp op) { isValid &= set.contains(op.getNameAttr()) || succeeded(resolve(op, symbols)); });
    if (!isValid)
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
