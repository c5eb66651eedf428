// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives a target from LLVM's feature lists.

#include "compiler/target/CpuTarget.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace plumb;

/// Every AArch64 processor has these.
static void setNeon(CpuTarget &target) {
  target.machine = MachineModel::getNeon();
  target.hasFma = true;
  target.hasMaximum = true;
  target.convertsHalves = true;
}

/// Fills the vector properties from a predicate over feature names.
template <typename Has> static void setVectors(CpuTarget &target, Has has) {
  if (target.triple.isAArch64())
    return setNeon(target);
  target.hasFma = has("fma");
  target.convertsHalves = has("f16c");
  // LLVM lists the features that a processor adds; avx512f is implied by these.
  if (has("avx512vl") && has("avx512dq") && has("avx512bw")) {
    target.machine = MachineModel::getAvx512();
    target.maskedBits = 8;
    // LLVM's scheduling models of earlier processors hoist loads so far that accumulators spill.
    target.tuning = "sapphirerapids";
  } else if (has("avx2")) {
    target.machine = MachineModel::getAvx2();
    target.maskedBits = 32;
  } else {
    target.machine = MachineModel::getSse();
  }
}

/// The triple of this system on `architecture`.
static llvm::Triple getTriple(llvm::Triple::ArchType architecture) {
  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  if (host.getArch() == architecture)
    return host;
  return llvm::Triple(llvm::Triple::getArchTypeName(architecture).str() + "-unknown-linux-gnu");
}

/// Features are listed one by one, since a virtual machine may hide some of the processor's.
static CpuTarget findHost() {
  CpuTarget target;
  target.cpu = llvm::sys::getHostCPUName().str();
  target.triple = llvm::Triple(llvm::sys::getDefaultTargetTriple());
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  llvm::SmallVector<std::string> parts;
  for (const auto &feature : features)
    parts.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(parts);
  for (const std::string &part : parts)
    target.features += (target.features.empty() ? "" : ",") + part;
  setVectors(target, [&](llvm::StringRef name) { return features.lookup(name); });
  return target;
}

/// The machine that this process runs on, found once: a virtual machine answers each CPUID instruction in tens of
/// microseconds.
static const CpuTarget &getHost() {
  static const CpuTarget host = findHost();
  return host;
}

static CpuTarget getAArch64(llvm::StringRef name) {
  CpuTarget target;
  target.cpu = name.str();
  target.triple = getTriple(llvm::Triple::aarch64);
  setNeon(target);
  return target;
}

std::optional<CpuTarget> CpuTarget::get(llvm::StringRef name) {
  if (name.empty() || name == "native")
    return getHost();
  if (name.starts_with("cortex-") || name.starts_with("neoverse-") || name.starts_with("apple-"))
    return getAArch64(name);
  if (llvm::X86::parseArchX86(name) == llvm::X86::CK_None)
    return std::nullopt;
  CpuTarget target;
  target.cpu = name.str();
  target.triple = getTriple(llvm::Triple::x86_64);
  llvm::SmallVector<llvm::StringRef> features;
  llvm::X86::getFeaturesForCPU(name, features, /*NeedPlus=*/false);
  setVectors(target, [&](llvm::StringRef feature) { return llvm::is_contained(features, feature); });
  return target;
}
