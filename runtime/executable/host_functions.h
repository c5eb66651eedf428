// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the C library that compiled code may call: see runtime/abi/host_functions.h.

#ifndef PLUMB_RUNTIME_EXECUTABLE_HOST_FUNCTIONS_H_
#define PLUMB_RUNTIME_EXECUTABLE_HOST_FUNCTIONS_H_

#include "absl/strings/string_view.h"

namespace plumb {

/// The address of a function by name; null for every name that is not on the list.
const void* FindHostFunction(absl::string_view name);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_HOST_FUNCTIONS_H_
