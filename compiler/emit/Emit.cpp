// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage, from the outside: find the device module, make its code and its
// manifest, join them in the form that was asked for.

#include "compiler/emit/Emit.h"

#include "compiler/emit/Link.h"
#include "compiler/emit/Manifest.h"
#include "compiler/emit/NativeCode.h"

using namespace mlir;
using namespace plumb;

/// The one device module, which must hold native functions already.
static FailureOr<device::ModuleOp> findDevice(ModuleOp module) {
  auto devices = llvm::to_vector(module.getOps<device::ModuleOp>());
  if (devices.size() != 1)
    return module.emitError("an executable is made from one device.module, but "
                            "this module has ")
           << devices.size();
  for (auto loop : devices[0].getBody().getOps<device::LoopOp>())
    return loop.emitOpError("is no native code yet; run codegen");
  return devices[0];
}

/// Translated, optimized code with manifest and query function.
static FailureOr<NativeCode> makeCode(device::ModuleOp device,
                                      const EmitOptions &options) {
  FailureOr<NativeCode> code = NativeCode::create(device, options.targetCpu);
  if (failed(code))
    return failure();
  auto manifest = buildManifest(device, options, code->getFacts());
  if (failed(manifest) || failed(code->translate(device)))
    return failure();
  code->addQuery(device);
  code->optimize();
  code->addManifest(*manifest);
  return code;
}

LogicalResult plumb::emitExecutable(ModuleOp module, const EmitOptions &options,
                                    llvm::raw_pwrite_stream &os) {
  FailureOr<device::ModuleOp> device = findDevice(module);
  if (failed(device))
    return failure();
  FailureOr<NativeCode> code = makeCode(*device, options);
  if (failed(code))
    return failure();
  if (options.kind == EmitKind::LLVM) {
    code->printIR(os);
    return success();
  }
  bool isText = options.kind == EmitKind::Asm;
  SmallVector<char> object, linked;
  if (failed(code->generate(*device,
                            isText ? llvm::CodeGenFileType::AssemblyFile
                                   : llvm::CodeGenFileType::ObjectFile,
                            object)))
    return failure();
  if (options.kind == EmitKind::Plumb &&
      failed(linkShared(device->getLoc(), object, linked)))
    return failure();
  if (options.kind == EmitKind::Exe &&
      failed(linkProgram(device->getLoc(), object, options.exeArchive, linked)))
    return failure();
  const SmallVector<char> &bytes = linked.empty() ? object : linked;
  os.write(bytes.data(), bytes.size());
  return success();
}
