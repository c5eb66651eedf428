// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/host_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi/host_functions.h"

namespace plumb {
namespace {

struct HostFunction {
  absl::string_view name;
  const void* address;
};

// <cmath> and <cstring> overload these names; a cast to the type picks the one of C.
template <typename Function>
const void* Address(Function* function) {
  return reinterpret_cast<const void*>(function);
}

// A function of doubles and its twin of floats.
#define PLUMB_UNARY(name) {#name, Address<double(double)>(&::name)}, {#name "f", Address<float(float)>(&::name##f)},
#define PLUMB_BINARY(name) \
  {#name, Address<double(double, double)>(&::name)}, {#name "f", Address<float(float, float)>(&::name##f)},
#define PLUMB_OTHER(name, ...) {#name, Address<__VA_ARGS__>(&::name)},

const HostFunction kFunctions[] = {PLUMB_HOST_UNARY(PLUMB_UNARY) PLUMB_HOST_BINARY(PLUMB_BINARY)
                                       PLUMB_HOST_OTHERS(PLUMB_OTHER)};

#undef PLUMB_UNARY
#undef PLUMB_BINARY
#undef PLUMB_OTHER

}  // namespace

const void* FindHostFunction(absl::string_view name) {
  for (const HostFunction& function : kFunctions) {
    if (function.name == name) return function.address;
  }
  return nullptr;
}

}  // namespace plumb
