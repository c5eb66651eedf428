/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The public header is plain C, and its library links from C. */
#include "runtime/api/plumb/runtime.h"

int main(void) {
  plumb_executable_t* executable = 0;
  plumb_status_t* status = plumb_executable_load_file("/nowhere/it.plumb", &executable);
  int failed = plumb_status_code(status) != PLUMB_NOT_FOUND || plumb_runtime_api_version() != PLUMB_RUNTIME_API_VERSION;
  plumb_status_destroy(status);
  return failed;
}
