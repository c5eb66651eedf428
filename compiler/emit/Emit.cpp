// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage, from the outside: find the device module, make its code and its
// manifest, join them in the form that was asked for. What is linked anyway is
// made as two objects at the same time.

#include "compiler/emit/Emit.h"

#include "compiler/emit/Link.h"
#include "compiler/emit/Manifest.h"
#include "compiler/emit/NativeCode.h"
#include "compiler/emit/NativeSources.h"
#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <thread>
#include <vector>

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

/// Splits the functions of `device` into two sets of about the same size, the
/// loops and all that comes with them in the first. By counts of operations, so
/// that equal modules give equal executables. Returns the second set.
static llvm::DenseSet<Operation *> findSecondHalf(device::ModuleOp device) {
  SmallVector<std::pair<int64_t, Operation *>> kernels;
  int64_t first = 0, second = 0;
  for (auto function : device.getBody().getOps<LLVM::LLVMFuncOp>()) {
    int64_t size = 0;
    function.walk([&](Operation *) { ++size; });
    if (function->hasAttr(kernel::kInfoName))
      kernels.emplace_back(size, function);
    else
      first += size;
  }
  llvm::stable_sort(kernels, [](const auto &a, const auto &b) { return a.first > b.first; });
  llvm::DenseSet<Operation *> moved;
  for (auto [size, function] : kernels) {
    if (first <= second) {
      first += size;
      continue;
    }
    second += size;
    moved.insert(function);
  }
  return moved;
}

/// The complement of `set` among the functions of `device`.
static llvm::DenseSet<Operation *> findFirstHalf(device::ModuleOp device, const llvm::DenseSet<Operation *> &set) {
  llvm::DenseSet<Operation *> others;
  for (auto function : device.getBody().getOps<LLVM::LLVMFuncOp>())
    if (!set.contains(function))
      others.insert(function);
  return others;
}

/// Translated code with the query function: in one part, which holds the
/// manifest, or in two and a manifest that is linked with them.
static LogicalResult makeCode(device::ModuleOp device, const EmitOptions &options, bool inParts,
                              std::vector<NativeCode> &parts, ManifestBytes &manifest) {
  FailureOr<NativeCode> code = NativeCode::create(device, options.targetCpu);
  if (failed(code) || failed(buildManifest(device, options, code->getFacts(), manifest)))
    return failure();
  llvm::DenseSet<Operation *> second;
  if (inParts)
    second = findSecondHalf(device);
  if (failed(code->translate(device, second)))
    return failure();
  code->addQuery(device);
  if (!inParts)
    code->addManifest({manifest.data(), manifest.size()});
  if (options.symbols)
    code->addKernelTable(device);
  parts.push_back(std::move(*code));
  if (second.empty())
    return success();
  FailureOr<NativeCode> rest = NativeCode::create(device, options.targetCpu);
  if (failed(rest) || failed(rest->translate(device, findFirstHalf(device, second))))
    return failure();
  parts.push_back(std::move(*rest));
  return success();
}

/// Optimizes and generates all parts, each on a thread of its own.
static LogicalResult generate(device::ModuleOp device, std::vector<NativeCode> &parts, llvm::CodeGenFileType type,
                              std::vector<ObjectFile> &objects) {
  objects.resize(parts.size());
  std::vector<char> failures(parts.size());
  auto work = [&](size_t number) {
    parts[number].optimize();
    failures[number] = failed(parts[number].generate(type, objects[number]));
  };
  std::vector<std::thread> threads;
  for (size_t number = 1; number < parts.size(); ++number)
    threads.emplace_back(work, number);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
  if (llvm::is_contained(failures, true))
    return device.emitOpError("has a target that cannot emit such a file");
  return success();
}

/// Writes LLVM's IR, which is one module.
static LogicalResult emitIR(device::ModuleOp device, const EmitOptions &options, llvm::raw_pwrite_stream &os) {
  std::vector<NativeCode> parts;
  ManifestBytes manifest;
  if (failed(makeCode(device, options, /*inParts=*/false, parts, manifest)))
    return failure();
  parts[0].optimize();
  parts[0].printIR(os);
  return success();
}

LogicalResult plumb::emitExecutable(ModuleOp module, const EmitOptions &options, llvm::raw_pwrite_stream &os) {
  FailureOr<device::ModuleOp> device = findDevice(module);
  if (failed(device))
    return failure();
  if (options.kind == EmitKind::Obj && hasNativeSources(*device))
    return device->emitOpError("calls functions of sources, which are objects of their own; emit an executable "
                               "(--emit=plumb)");
  if (options.kind == EmitKind::LLVM)
    return emitIR(*device, options, os);
  bool isText = options.kind == EmitKind::Asm;
  bool isLinked = options.kind == EmitKind::Plumb || options.kind == EmitKind::Exe;
  auto type = isText ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  std::vector<NativeCode> parts;
  LinkInputs inputs;
  if (failed(makeCode(*device, options, isLinked, parts, inputs.manifest)) ||
      failed(generate(*device, parts, type, inputs.objects)))
    return failure();
  if (isLinked && failed(compileNativeSources(*device, parts[0].getFacts(), inputs.objects)))
    return failure();
  inputs.triple = llvm::Triple(parts[0].getFacts().triple);
  if (options.kind == EmitKind::Plumb)
    return linkShared(device->getLoc(), std::move(inputs), options, os);
  if (options.kind == EmitKind::Exe)
    return linkProgram(device->getLoc(), std::move(inputs), options, os);
  os.write(inputs.objects[0].data(), inputs.objects[0].size());
  return success();
}
