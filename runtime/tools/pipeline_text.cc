// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/pipeline_text.h"

#include <memory>

#include "flatbuffers/idl.h"
#include "runtime/abi/pipeline_schema.h"

namespace plumb {

std::string PipelineJson(const abi::Pipeline& pipeline) {
  std::unique_ptr<abi::PipelineT> copy(pipeline.UnPack());
  if (abi::ArraySourceT* arrays = copy->source.AsArraySource()) {
    for (auto& column : arrays->columns) column->bytes.clear();
  }
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(abi::Pipeline::Pack(builder, copy.get()));
  flatbuffers::IDLOptions options;
  options.strict_json = true;
  options.indent_step = -1;
  flatbuffers::Parser parser(options);
  std::string text;
  if (!parser.Parse(abi::kPipelineSchema) || !flatbuffers::GenerateText(parser, builder.GetBufferPointer(), &text)) {
    return "null";
  }
  return text;
}

}  // namespace plumb
