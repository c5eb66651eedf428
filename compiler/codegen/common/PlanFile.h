// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of measured plans, which `plumbc --tune` writes and `--plans` reads. A line of text per operation:
//
//   plumb plans 1
//   # comments
//   sapphirerapids-5c2f11d0 8d3b0ae6a91b2c47 1 #kernel.plan<lanes = 16 x 3 along 1, …>
//
// that is the processor (getTargetKey), the hash of the kernel (getKernelKey), the number of the operation among the
// kernel's, and its plan. One file may hold plans for several processors and programs.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_PLANFILE_H
#define PLUMB_COMPILER_CODEGEN_COMMON_PLANFILE_H

#include "compiler/target/CpuTarget.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace plumb {

/// The attribute of a module that names the file of plans for its kernels.
constexpr llvm::StringLiteral kPlansFileName = "plumb.plans";

/// A line of a file of plans.
struct PlanLine {
  std::string target, kernel;
  unsigned operation = 0;
  /// As an attribute is written.
  std::string plan;
  /// The comment lines before it, without the `#`.
  std::vector<std::string> comments;
  /// The line's number in the file.
  unsigned number = 0;
};

/// A word for a processor: its name and, where its features were listed one by one, a hash of them.
std::string getTargetKey(const CpuTarget &target);

/// Reads a file of plans. Errors name the file and the line.
llvm::Expected<std::vector<PlanLine>> readPlanFile(llvm::StringRef path);

/// Writes a file of plans.
void writePlanFile(const std::vector<PlanLine> &lines, llvm::raw_ostream &os);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_PLANFILE_H
