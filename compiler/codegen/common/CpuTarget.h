// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emitters must know of a processor: how wide its vectors are, how
// many of them it holds, and which vector operations it has. Everything else is
// LLVM's business.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_CPUTARGET_H
#define PLUMB_COMPILER_CODEGEN_COMMON_CPUTARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace plumb {

/// Bytes of one line of any cache.
constexpr int64_t kLineBytes = 64;

/// A cache, as cost models see it.
struct CacheLevel {
  int64_t sets;
  int64_t ways;
  /// Cycles that a core waits for a line from beyond, when lines stream in.
  double missCycles;

  int64_t lines() const { return sets * ways; }
  int64_t bytes() const { return lines() * kLineBytes; }
};

/// A processor as the vector emitters see it.
struct CpuTarget {
  /// LLVM's name of the processor, such as `x86-64-v4` or `sapphirerapids`.
  std::string cpu;
  /// Architecture and system.
  llvm::Triple triple;
  /// LLVM's feature string (`+avx2,-avx512f,…`); empty where `cpu` says all.
  std::string features;
  /// The processor whose order of instructions is right for this one; empty for its own.
  std::string tuning;
  /// Bits of one vector register.
  int64_t vectorBits = 128;
  /// Vector registers that a kernel may hold.
  int64_t registers = 16;
  /// Whether multiply-add is one instruction.
  bool hasFma = false;
  /// Whether a maximum that is no number where an operand is none is one instruction.
  bool hasMaximum = false;
  /// Whether f16 becomes f32, and f32 f16, by one instruction.
  bool convertsHalves = false;
  /// Whether loads and stores of single lanes are one instruction.
  bool hasMasks = false;

  /// A core's own caches, the nearest first.
  std::array<CacheLevel, 2> caches{{{64, 8, 1.0}, {1024, 8, 8.0}}};

  /// Lanes of one register for elements of `bits` bits.
  int64_t lanes(int64_t bits) const { return vectorBits / bits; }

  /// Whether loads of single lanes of `bits` bits are one instruction. AVX2 has
  /// them for whole words; its stores of that kind are slow on some processors.
  bool loadsMasked(int64_t bits) const {
    return hasMasks || (vectorBits == 256 && bits >= 32);
  }

  /// Finds a target by the name a user types: `native`, `x86-64-v2`, … or any
  /// processor LLVM knows. Nothing when LLVM does not know it. Of AArch64's, whose
  /// names say so, only LLVM's back end knows which there are.
  static std::optional<CpuTarget> get(llvm::StringRef name);
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_CPUTARGET_H
