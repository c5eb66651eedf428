// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/RemarkPrinter.h"

using namespace plumb;

namespace {

/// Emits each remark as a diagnostic: its category, then what it says.
class RemarkPrinter : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override {
    mlir::InFlightDiagnostic diagnostic = mlir::emitRemark(remark.getLocation());
    diagnostic << remark.getCombinedCategoryName() << ":";
    for (const auto &argument : remark.getArgs())
      diagnostic << " " << argument.val;
  }
};

} // namespace

mlir::LogicalResult plumb::printRemarks(mlir::MLIRContext &context, llvm::StringRef categories) {
  std::string filter = categories.str();
  mlir::remark::RemarkCategories all{filter, filter, filter, filter, filter};
  return mlir::remark::enableOptimizationRemarks(context, std::make_unique<RemarkPrinter>(),
                                                 std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), all);
}
