// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/cpu/select/StoredPlans.h"

#include "dialects/kernel/ir/Kernel.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <limits>

using namespace mlir;
using namespace plumb;

std::string plumb::getKernelKey(func::FuncOp kernel) {
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  copy->setName("kernel");
  copy->getOperation()->removeAttr(kernel::kInfoName);
  copy->walk([](Operation *op) { op->removeAttr(kernel::kPlanName); });
  std::string text;
  llvm::raw_string_ostream os(text);
  constexpr int64_t all = std::numeric_limits<int64_t>::max();
  copy->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false).elideLargeElementsAttrs(all));
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
}

SmallVector<linalg::LinalgOp> plumb::getOperations(func::FuncOp kernel) {
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  return ops;
}

FailureOr<StoredPlans> StoredPlans::read(ModuleOp module, const CpuTarget &target) {
  StoredPlans plans;
  auto path = module->getAttrOfType<StringAttr>(kPlansFileName);
  if (!path)
    return plans;
  plans.path = path.str();
  llvm::Expected<std::vector<PlanLine>> lines = readPlanFile(plans.path);
  if (!lines)
    return emitError(UnknownLoc::get(module.getContext())) << llvm::toString(lines.takeError());
  std::string key = getTargetKey(target);
  for (PlanLine &line : *lines)
    if (line.target == key)
      plans.lines[line.kernel].push_back(std::move(line));
  return plans;
}

LogicalResult StoredPlans::apply(func::FuncOp kernel) {
  SmallVector<linalg::LinalgOp> ops = getOperations(kernel);
  if (ops.empty())
    return success();
  auto found = lines.find(getKernelKey(kernel));
  if (found == lines.end())
    return success();
  for (const PlanLine &line : found->second) {
    auto plan = dyn_cast_or_null<kernel::PlanAttr>(parseAttribute(line.plan, kernel.getContext()));
    if (!plan || line.operation >= ops.size())
      return kernel.emitError() << path << ":" << line.number << ": this is no plan of the kernel '" << kernel.getName()
                                << "', which has " << ops.size()
                                << " operations; remove the line, or run plumbc --tune again";
    linalg::LinalgOp op = ops[line.operation];
    if (op->hasAttr(kernel::kPlanName))
      continue;
    op->setAttr(kernel::kPlanName, plan);
    applied[op] = line.number;
  }
  return success();
}

LogicalResult StoredPlans::apply(Operation *root) {
  if (lines.empty())
    return success();
  WalkResult result = root->walk([&](func::FuncOp kernel) {
    return kernel.isDeclaration() || succeeded(apply(kernel)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

std::string StoredPlans::getSource(Operation *op) const { return path + ":" + std::to_string(applied.lookup(op)); }

void StoredPlans::refuse(Operation *op) const {
  auto kernel = op->getParentOfType<func::FuncOp>();
  emitError(op->getLoc()) << getSource(op) << ": the plan does not fit the kernel '" << kernel.getName()
                          << "'; remove the line, or run plumbc --tune again";
}
