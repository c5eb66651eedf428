// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PLUMB_RUNTIME_TOOLS_PIPELINE_TEXT_H_
#define PLUMB_RUNTIME_TOOLS_PIPELINE_TEXT_H_

#include <string>

#include "runtime/abi/pipeline_generated.h"

namespace plumb {

/// The JSON form of a data pipeline, rows held in memory left out; "null" if it cannot be written.
std::string PipelineJson(const abi::Pipeline& pipeline);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_PIPELINE_TEXT_H_
