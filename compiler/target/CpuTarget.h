// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor that a program is compiled for: instructions, vectors, registers and caches.

#ifndef PLUMB_COMPILER_TARGET_CPUTARGET_H
#define PLUMB_COMPILER_TARGET_CPUTARGET_H

#include "compiler/target/MachineModel.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdint>
#include <optional>
#include <string>

namespace plumb {

/// A processor, as the compiler sees it.
struct CpuTarget {
  /// LLVM's name of the processor, such as `x86-64-v4` or `sapphirerapids`.
  std::string cpu;
  /// Architecture and system.
  llvm::Triple triple;
  /// LLVM's feature string (`+avx2,-avx512f,…`); empty where `cpu` implies all features.
  std::string features;
  /// The processor whose scheduling model suits this one best; empty for its own.
  std::string tuning;
  /// Whether multiply-add is one instruction.
  bool hasFma = false;
  /// Whether a maximum that propagates NaN is one instruction.
  bool hasMaximum = false;
  /// Whether conversions between f16 and f32 are one instruction.
  bool convertsHalves = false;
  /// The smallest elements, in bits, of which a masked load or store is one instruction; 0 where none is.
  int64_t maskedBits = 0;

  /// Widths, latencies and caches for the cost models.
  MachineModel machine;

  /// Lanes of a register for elements of `bits` bits.
  int64_t lanes(int64_t bits) const { return machine.vectorBits / bits; }

  /// Whether masked loads and stores of elements of `bits` bits are one instruction.
  bool hasMasks(int64_t bits) const { return maskedBits > 0 && bits >= maskedBits; }

  /// The target for a name that users type: `native`, `x86-64-v2`, … or any processor that LLVM knows; nothing for
  /// others. Names of AArch64 processors are recognised by their prefix, and LLVM's back end checks them.
  static std::optional<CpuTarget> get(llvm::StringRef name);
};

} // namespace plumb

#endif // PLUMB_COMPILER_TARGET_CPUTARGET_H
