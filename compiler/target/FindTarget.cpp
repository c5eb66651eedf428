// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target named by a pass option, else the module's own, else this machine.

#include "compiler/target/FindTarget.h"

#include "dialects/device/ir/Device.h"

using namespace mlir;
using namespace plumb;

FailureOr<CpuTarget> plumb::findTarget(ModuleOp module, StringRef name) {
  if (name.empty())
    for (auto device : module.getOps<device::ModuleOp>())
      if (device.getTarget())
        name = *device.getTarget();
  std::optional<CpuTarget> target = CpuTarget::get(name);
  if (!target)
    return module.emitError() << "target processor '" << name
                              << "' is not known; use native, x86-64-v2, x86-64-v3, x86-64-v4 or LLVM's name of one";
  return *target;
}
