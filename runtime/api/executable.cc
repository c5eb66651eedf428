// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/api/handles.h"
#include "runtime/base/element_type.h"
#include "runtime/base/status.h"
#include "runtime/executable/manifest_check.h"
#include "runtime/signature/key_file.h"

namespace plumb {
namespace api {
namespace {

/// Turns the manifest's tables into C structs that live as long as the handle.
class TableMaker {
 public:
  explicit TableMaker(plumb_executable* handle) : handle_(handle) {}

  void Run() {
    const abi::Manifest& manifest = handle_->executable->manifest();
    handle_->name = manifest.name() ? manifest.name()->str() : "";
    handle_->target_cpu = manifest.target_cpu() ? manifest.target_cpu()->str() : "";
    if (manifest.variables()) {
      for (const abi::Variable* variable : *manifest.variables()) {
        handle_->variables.push_back({Tensor(variable->name(), *variable->type()), variable->trainable() ? 1 : 0});
      }
    }
    if (manifest.queues()) {
      for (const abi::Queue* queue : *manifest.queues()) handle_->queues.push_back(MakeQueue(*queue));
    }
    for (const abi::Loop* loop : *manifest.loops()) handle_->loops.push_back(MakeLoop(*loop, manifest));
  }

 private:
  const char* Keep(const flatbuffers::String* text) {
    handle_->strings.push_back(text ? text->str() : "");
    return handle_->strings.back().c_str();
  }

  plumb_tensor_info_t Tensor(const flatbuffers::String* name, const abi::TensorType& type) {
    absl::Span<const int64_t> shape = ShapeOf(type);
    handle_->shapes.emplace_back(shape.begin(), shape.end());
    return {Keep(name), static_cast<plumb_element_t>(type.element()), shape.size(), handle_->shapes.back().data(),
            static_cast<size_t>(TypeBytes(&type).value_or(0))};
  }

  plumb_queue_info_t MakeQueue(const abi::Queue& queue) {
    std::vector<plumb_tensor_info_t> columns;
    for (const abi::Column* column : *queue.columns()) columns.push_back(Tensor(column->name(), *column->type()));
    handle_->tensors.push_back(std::move(columns));
    return {Keep(queue.name()), handle_->tensors.back().size(), handle_->tensors.back().data(), queue.depth(),
            queue.pipeline() != nullptr ? 1 : 0};
  }

  plumb_loop_info_t MakeLoop(const abi::Loop& loop, const abi::Manifest& manifest) {
    std::vector<plumb_tensor_info_t> reports;
    if (loop.reports()) {
      for (const abi::Report* report : *loop.reports()) reports.push_back(Tensor(report->name(), *report->type()));
    }
    handle_->tensors.push_back(std::move(reports));
    const char* queue = nullptr;
    if (loop.queue() >= 0)
      queue = Keep(manifest.queues()->Get(static_cast<flatbuffers::uoffset_t>(loop.queue()))->name());
    return {Keep(loop.name()), Keep(loop.mode()), queue, handle_->tensors.back().size(), handle_->tensors.back().data(),
            loop.sink_size(),  loop.epochs()};
  }

  plumb_executable* handle_;
};

absl::Status Wrap(absl::StatusOr<std::shared_ptr<const Executable>> loaded, plumb_executable_t** executable) {
  PLUMB_RETURN_IF_ERROR(loaded.status());
  auto handle = std::make_unique<plumb_executable>();
  handle->executable = std::move(loaded).value();
  TableMaker(handle.get()).Run();
  *executable = handle.release();
  return absl::OkStatus();
}

absl::StatusOr<PublicKey> ParseKeyArgument(const char* text) {
  auto key = ParsePublicKey(text);
  if (!key.ok()) return Annotate(key.status(), "the public key");
  return key;
}

template <typename Table>
const Table* At(const std::vector<Table>& tables, size_t index) {
  return index < tables.size() ? &tables[index] : nullptr;
}

}  // namespace
}  // namespace api
}  // namespace plumb

using plumb::api::Guard;
using plumb::api::NullArgument;

extern "C" {

plumb_status_t* plumb_executable_load_file(const char* path, plumb_executable_t** executable) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr || executable == nullptr) return NullArgument("a path or an out-parameter");
    return plumb::api::Wrap(plumb::Executable::Load(path), executable);
  });
}

plumb_status_t* plumb_executable_load_memory(const void* data, size_t size, const char* name,
                                             plumb_executable_t** executable) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr || executable == nullptr) return NullArgument("the data or an out-parameter");
    auto bytes = absl::MakeConstSpan(static_cast<const uint8_t*>(data), size);
    return plumb::api::Wrap(plumb::Executable::LoadFromMemory(bytes, name ? name : "executable"), executable);
  });
}

plumb_status_t* plumb_executable_load_signed_file(const char* path, const char* public_key,
                                                  plumb_executable_t** executable) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr || public_key == nullptr || executable == nullptr) {
      return NullArgument("a path, a key or an out-parameter");
    }
    PLUMB_ASSIGN_OR_RETURN(const plumb::PublicKey key, plumb::api::ParseKeyArgument(public_key));
    return plumb::api::Wrap(
        plumb::Executable::Load(
            path, [&](absl::Span<const uint8_t> file) { return plumb::CheckSignatureFile(file, path, key); }),
        executable);
  });
}

plumb_status_t* plumb_executable_load_signed_memory(const void* data, size_t size, const char* name,
                                                    const void* signature, size_t signature_size,
                                                    const char* public_key, plumb_executable_t** executable) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr || signature == nullptr || public_key == nullptr || executable == nullptr) {
      return NullArgument("the data, a signature, a key or an out-parameter");
    }
    PLUMB_ASSIGN_OR_RETURN(const plumb::PublicKey key, plumb::api::ParseKeyArgument(public_key));
    const std::string called = name ? name : "executable";
    auto bytes = absl::MakeConstSpan(static_cast<const uint8_t*>(data), size);
    auto signed_by = absl::MakeConstSpan(static_cast<const uint8_t*>(signature), signature_size);
    PLUMB_RETURN_IF_ERROR(plumb::Annotate(plumb::CheckSignature(bytes, signed_by, key), called));
    return plumb::api::Wrap(plumb::Executable::LoadFromMemory(bytes, called), executable);
  });
}

void plumb_executable_destroy(plumb_executable_t* executable) { delete executable; }

const char* plumb_executable_name(const plumb_executable_t* executable) {
  return executable ? executable->name.c_str() : nullptr;
}

const char* plumb_executable_target_cpu(const plumb_executable_t* executable) {
  return executable ? executable->target_cpu.c_str() : nullptr;
}

size_t plumb_executable_variable_count(const plumb_executable_t* executable) {
  return executable ? executable->variables.size() : 0;
}

const plumb_variable_info_t* plumb_executable_variable(const plumb_executable_t* executable, size_t index) {
  return executable ? plumb::api::At(executable->variables, index) : nullptr;
}

size_t plumb_executable_queue_count(const plumb_executable_t* executable) {
  return executable ? executable->queues.size() : 0;
}

const plumb_queue_info_t* plumb_executable_queue(const plumb_executable_t* executable, size_t index) {
  return executable ? plumb::api::At(executable->queues, index) : nullptr;
}

size_t plumb_executable_loop_count(const plumb_executable_t* executable) {
  return executable ? executable->loops.size() : 0;
}

const plumb_loop_info_t* plumb_executable_loop(const plumb_executable_t* executable, size_t index) {
  return executable ? plumb::api::At(executable->loops, index) : nullptr;
}

}  // extern "C"
