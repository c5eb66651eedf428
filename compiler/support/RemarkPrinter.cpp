// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/RemarkPrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace plumb;
using namespace mlir;

namespace {

/// Whether a file is part of the Python package: it lies under a folder `plumb` that holds the package's capture.
bool isPackageFile(StringRef file) {
  for (StringRef folder = llvm::sys::path::parent_path(file); !folder.empty();
       folder = llvm::sys::path::parent_path(folder)) {
    SmallString<128> mark(folder);
    llvm::sys::path::append(mark, "_capture.py");
    if (llvm::sys::path::filename(folder) == "plumb" && llvm::sys::fs::exists(mark))
      return true;
  }
  return false;
}

/// The positions of a call chain, innermost first.
void collectFrames(Location location, SmallVectorImpl<FileLineColLoc> &frames) {
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collectFrames(call.getCallee(), frames);
    collectFrames(call.getCaller(), frames);
  } else if (auto name = dyn_cast<NameLoc>(location)) {
    collectFrames(name.getChildLoc(), frames);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    collectFrames(fused.getLocations().front(), frames);
  } else if (auto frame = dyn_cast<FileLineColLoc>(location)) {
    frames.push_back(frame);
  }
}

/// The call chain without the package's own frames; `location` itself where nothing is left.
Location getUserLocation(Location location) {
  SmallVector<FileLineColLoc> frames;
  collectFrames(location, frames);
  llvm::erase_if(frames, [](FileLineColLoc frame) { return isPackageFile(frame.getFilename().strref()); });
  if (frames.empty())
    return location;
  Location chain = frames.pop_back_val();
  while (!frames.empty())
    chain = CallSiteLoc::get(frames.pop_back_val(), chain);
  return chain;
}

/// Emits each remark as a diagnostic: its category, then what it says.
class RemarkPrinter : public remark::detail::MLIRRemarkStreamerBase {
public:
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    assert(llvm::is_contained(remarkCategories, remark.getCombinedCategoryName()) &&
           "a category that --help does not name");
    Location location = getUserLocation(remark.getLocation());
    std::string text;
    llvm::raw_string_ostream os(text);
    os << remark.getCombinedCategoryName() << ":";
    for (const auto &argument : remark.getArgs())
      os << " " << argument.val;
    std::string key = text;
    llvm::raw_string_ostream(key) << location;
    if (said.insert(key).second)
      emitRemark(location) << text;
  }

private:
  llvm::StringSet<> said;
};

} // namespace

mlir::LogicalResult plumb::printRemarks(mlir::MLIRContext &context, llvm::StringRef categories) {
  std::string filter = categories.str();
  mlir::remark::RemarkCategories all{filter, filter, filter, filter, filter};
  return mlir::remark::enableOptimizationRemarks(context, std::make_unique<RemarkPrinter>(),
                                                 std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), all);
}
