// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/out_of_memory.h"

#include <cxxabi.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

namespace plumb {
namespace {

// More than an exception takes, so that what could not be had is not there now either.
constexpr size_t kProbe = 1 << 12;
constexpr char kMessage[] = "error: out of memory\n";

std::terminate_handler handler_before = nullptr;

bool IsOutOfMemory() {
  if (const std::type_info* thrown = abi::__cxa_current_exception_type()) return *thrown == typeid(std::bad_alloc);
  void* volatile probe = std::malloc(kProbe);
  std::free(probe);
  return probe == nullptr;
}

void OnTerminate() {
  if (!IsOutOfMemory()) handler_before();
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(1);
}

}  // namespace

void EndWhenOutOfMemory() { handler_before = std::set_terminate(&OnTerminate); }

}  // namespace plumb
