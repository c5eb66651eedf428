// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/run/LiveNames.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace plumb::specialize {

/// The names that the inner functions of a function capture, which stand behind their symbols.
static llvm::DenseSet<StringAttr> getCapturedNames(net::PythonFuncOp function) {
  llvm::DenseSet<StringAttr> names;
  function.walk([&](net::PythonCallOp call) {
    auto callee = call.getCallee().getDefiningOp<net::PythonConstantOp>();
    auto primitive = callee ? dyn_cast<net::PrimitiveAttr>(callee.getValue()) : net::PrimitiveAttr();
    if (!primitive || primitive.getName() != "builtins.make_closure")
      return;
    for (Value operand : call.getOperands())
      if (auto constant = operand.getDefiningOp<net::PythonConstantOp>())
        if (auto name = dyn_cast<StringAttr>(constant.getValue()))
          names.insert(name);
  });
  return names;
}

LiveNames::LiveNames(net::PythonFuncOp function) : captured(getCapturedNames(function)) {
  visit(function.getBody(), Names(), Ways());
}

bool LiveNames::isCarried(net::PythonWhileOp loop, StringAttr name) const {
  auto names = carried.find(loop);
  return names == carried.end() || names->second.contains(name) || captured.contains(name);
}

/// The names that are live at the begin of a block, given those behind it.
LiveNames::Names LiveNames::visit(Region &region, const Names &behind, const Ways &ways) {
  Names live = behind;
  if (!region.empty())
    for (Operation &op : llvm::reverse(region.front()))
      visit(op, live, ways);
  return live;
}

/// Goes from behind `op` to before it.
void LiveNames::visit(Operation &op, Names &live, const Ways &ways) {
  TypeSwitch<Operation *>(&op)
      .Case<net::PythonConstantOp>([](auto) {})
      .Case<net::PythonStoreOp>([&](auto store) { live.erase(store.getNameAttr()); })
      .Case<net::PythonBreakOp>([&](auto) { live = ways.broken; })
      .Case<net::PythonContinueOp>([&](auto) { live = ways.continued; })
      .Case<net::PythonReturnOp>([&](auto) { live = ways.returned; })
      .Case<net::PythonRaiseOp>([&](auto) { live = ways.raised; })
      .Case<net::PythonWhileOp>([&](auto loop) { live = visitWhile(loop, live, ways); })
      .Case<net::PythonForOp>([&](auto loop) { live = visitFor(loop, live, ways); })
      .Case<net::PythonTryOp>([&](auto tried) { live = visitTry(tried, live, ways); })
      .Case<net::PythonIfOp>([&](auto branch) {
        Names other = visit(branch.getElseRegion(), live, ways);
        live = visit(branch.getThenRegion(), live, ways);
        live.insert_range(other);
      })
      .Default([&](Operation *) {
        if (auto load = dyn_cast<net::PythonLoadOp>(op))
          live.insert(load.getNameAttr());
        live.insert_range(ways.raised);
      });
}

/// Goes round until no iteration finds more names live than the one before has. The condition passes on what it
/// assigns itself.
LiveNames::Names LiveNames::visitWhile(net::PythonWhileOp loop, const Names &behind, const Ways &ways) {
  Names head;
  for (bool grows = true; grows;) {
    Names tested = visit(loop.getBody(), head, {behind, head, ways.returned, ways.raised});
    tested.insert_range(behind);
    Names next = visit(loop.getConditionRegion(), tested, ways);
    grows = next.size() > head.size();
    head = std::move(next);
    tested.insert_range(head);
    carried[loop] = std::move(tested);
  }
  return head;
}

LiveNames::Names LiveNames::visitFor(net::PythonForOp loop, const Names &behind, const Ways &ways) {
  Names head = behind;
  for (bool grows = true; grows;) {
    Names next = visit(loop.getBody(), head, {behind, head, ways.returned, ways.raised});
    next.erase(loop.getTargetAttr());
    next.insert_range(behind);
    grows = next.size() > head.size();
    head = std::move(next);
  }
  return head;
}

/// The last block runs on every way out, the handler behind whatever may raise in the body.
LiveNames::Names LiveNames::visitTry(net::PythonTryOp op, Names behind, Ways ways) {
  if (!op.getLast().empty()) {
    for (const Names *way : {&ways.broken, &ways.continued, &ways.returned, &ways.raised})
      behind.insert_range(*way);
    behind = visit(op.getLast(), behind, ways);
    ways = {behind, behind, behind, behind};
  }
  if (op.getHandler().empty())
    return visit(op.getBody(), behind, ways);
  Names handled = visit(op.getHandler(), behind, ways);
  Ways inside = ways;
  inside.raised.insert_range(handled);
  Names live = visit(op.getBody(), behind, inside);
  live.insert_range(handled);
  return live;
}

} // namespace plumb::specialize
