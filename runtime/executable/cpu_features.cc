// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/cpu_features.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace plumb {
namespace {

#if defined(__x86_64__)

/// Which register sets the operating system must save for a feature to count.
enum class Saved { kNothing, kAvx, kAvx512, kAmx };
enum Register { kEax, kEbx, kEcx, kEdx };

struct Feature {
  const char* name;
  uint32_t leaf;
  uint32_t subleaf;
  Register reg;
  int bit;
  Saved saved = Saved::kNothing;
};

// After Intel's and AMD's manuals; names are LLVM's.
// clang-format off
constexpr Feature kFeatures[] = {
    {"cx8", 1, 0, kEdx, 8}, {"cmov", 1, 0, kEdx, 15}, {"mmx", 1, 0, kEdx, 23}, {"fxsr", 1, 0, kEdx, 24},
    {"sse", 1, 0, kEdx, 25}, {"sse2", 1, 0, kEdx, 26}, {"x87", 1, 0, kEdx, 0},
    {"sse3", 1, 0, kEcx, 0}, {"pclmul", 1, 0, kEcx, 1}, {"ssse3", 1, 0, kEcx, 9}, {"cx16", 1, 0, kEcx, 13},
    {"sse4.1", 1, 0, kEcx, 19}, {"sse4.2", 1, 0, kEcx, 20}, {"crc32", 1, 0, kEcx, 20}, {"movbe", 1, 0, kEcx, 22},
    {"popcnt", 1, 0, kEcx, 23}, {"aes", 1, 0, kEcx, 25}, {"rdrnd", 1, 0, kEcx, 30},
    {"xsave", 1, 0, kEcx, 26, Saved::kAvx}, {"fma", 1, 0, kEcx, 12, Saved::kAvx}, {"avx", 1, 0, kEcx, 28, Saved::kAvx},
    {"f16c", 1, 0, kEcx, 29, Saved::kAvx},
    {"sahf", 0x80000001, 0, kEcx, 0}, {"lzcnt", 0x80000001, 0, kEcx, 5}, {"sse4a", 0x80000001, 0, kEcx, 6},
    {"prfchw", 0x80000001, 0, kEcx, 8}, {"xop", 0x80000001, 0, kEcx, 11, Saved::kAvx},
    {"lwp", 0x80000001, 0, kEcx, 15}, {"fma4", 0x80000001, 0, kEcx, 16, Saved::kAvx},
    {"tbm", 0x80000001, 0, kEcx, 21}, {"mwaitx", 0x80000001, 0, kEcx, 29}, {"64bit", 0x80000001, 0, kEdx, 29},
    {"clzero", 0x80000008, 0, kEbx, 0}, {"rdpru", 0x80000008, 0, kEbx, 4}, {"wbnoinvd", 0x80000008, 0, kEbx, 9},
    {"fsgsbase", 7, 0, kEbx, 0}, {"sgx", 7, 0, kEbx, 2}, {"bmi", 7, 0, kEbx, 3}, {"avx2", 7, 0, kEbx, 5, Saved::kAvx},
    {"bmi2", 7, 0, kEbx, 8}, {"invpcid", 7, 0, kEbx, 10}, {"rtm", 7, 0, kEbx, 11},
    {"avx512f", 7, 0, kEbx, 16, Saved::kAvx512}, {"evex512", 7, 0, kEbx, 16, Saved::kAvx512},
    {"avx512dq", 7, 0, kEbx, 17, Saved::kAvx512}, {"rdseed", 7, 0, kEbx, 18}, {"adx", 7, 0, kEbx, 19},
    {"avx512ifma", 7, 0, kEbx, 21, Saved::kAvx512}, {"clflushopt", 7, 0, kEbx, 23}, {"clwb", 7, 0, kEbx, 24},
    {"avx512cd", 7, 0, kEbx, 28, Saved::kAvx512}, {"sha", 7, 0, kEbx, 29},
    {"avx512bw", 7, 0, kEbx, 30, Saved::kAvx512}, {"avx512vl", 7, 0, kEbx, 31, Saved::kAvx512},
    {"avx512vbmi", 7, 0, kEcx, 1, Saved::kAvx512}, {"pku", 7, 0, kEcx, 4}, {"waitpkg", 7, 0, kEcx, 5},
    {"avx512vbmi2", 7, 0, kEcx, 6, Saved::kAvx512}, {"shstk", 7, 0, kEcx, 7}, {"gfni", 7, 0, kEcx, 8},
    {"vaes", 7, 0, kEcx, 9, Saved::kAvx}, {"vpclmulqdq", 7, 0, kEcx, 10, Saved::kAvx},
    {"avx512vnni", 7, 0, kEcx, 11, Saved::kAvx512}, {"avx512bitalg", 7, 0, kEcx, 12, Saved::kAvx512},
    {"avx512vpopcntdq", 7, 0, kEcx, 14, Saved::kAvx512}, {"rdpid", 7, 0, kEcx, 22}, {"kl", 7, 0, kEcx, 23},
    {"cldemote", 7, 0, kEcx, 25}, {"movdiri", 7, 0, kEcx, 27}, {"movdir64b", 7, 0, kEcx, 28},
    {"enqcmd", 7, 0, kEcx, 29}, {"uintr", 7, 0, kEdx, 5}, {"avx512vp2intersect", 7, 0, kEdx, 8, Saved::kAvx512},
    {"serialize", 7, 0, kEdx, 14}, {"tsxldtrk", 7, 0, kEdx, 16}, {"pconfig", 7, 0, kEdx, 18},
    {"amx-bf16", 7, 0, kEdx, 22, Saved::kAmx}, {"avx512fp16", 7, 0, kEdx, 23, Saved::kAvx512},
    {"amx-tile", 7, 0, kEdx, 24, Saved::kAmx}, {"amx-int8", 7, 0, kEdx, 25, Saved::kAmx},
    {"sha512", 7, 1, kEax, 0}, {"sm3", 7, 1, kEax, 1}, {"sm4", 7, 1, kEax, 2},
    {"avxvnni", 7, 1, kEax, 4, Saved::kAvx}, {"avx512bf16", 7, 1, kEax, 5, Saved::kAvx512},
    {"cmpccxadd", 7, 1, kEax, 7}, {"amx-fp16", 7, 1, kEax, 21, Saved::kAmx}, {"hreset", 7, 1, kEax, 22},
    {"avxifma", 7, 1, kEax, 23, Saved::kAvx}, {"movrs", 7, 1, kEax, 31},
    {"avxvnniint8", 7, 1, kEdx, 4, Saved::kAvx}, {"avxneconvert", 7, 1, kEdx, 5, Saved::kAvx},
    {"amx-complex", 7, 1, kEdx, 8, Saved::kAmx}, {"avxvnniint16", 7, 1, kEdx, 10, Saved::kAvx},
    {"prefetchi", 7, 1, kEdx, 14}, {"usermsr", 7, 1, kEdx, 15},
    {"xsaveopt", 0xd, 1, kEax, 0, Saved::kAvx}, {"xsavec", 0xd, 1, kEax, 1, Saved::kAvx},
    {"xsaves", 0xd, 1, kEax, 3, Saved::kAvx}, {"ptwrite", 0x14, 0, kEbx, 4},
};
// clang-format on

/// XCR0, the register sets that the operating system saves; 0 where it cannot be asked.
uint64_t SavedRegisters() {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) return 0;
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

bool Covers(uint64_t saved, Saved needed) {
  uint64_t mask = 0;
  if (needed != Saved::kNothing) mask = 0x6;
  if (needed == Saved::kAvx512) mask = 0xe6;
  if (needed == Saved::kAmx) mask = 0x60000;
  return (saved & mask) == mask;
}

bool Has(const Feature& feature, uint64_t saved) {
  uint32_t registers[4];
  if (!__get_cpuid_count(feature.leaf, feature.subleaf, &registers[kEax], &registers[kEbx], &registers[kEcx],
                         &registers[kEdx])) {
    return false;
  }
  return (registers[feature.reg] >> feature.bit & 1) && Covers(saved, feature.saved);
}

/// The version of AVX10 that the processor offers; 0 for none.
uint32_t Avx10Version(uint64_t saved) {
  uint32_t a, b, c, d;
  if (!Covers(saved, Saved::kAvx512) || !__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(d >> 19 & 1)) return 0;
  return __get_cpuid_count(0x24, 0, &a, &b, &c, &d) ? b & 0xff : 0;
}

constexpr char kArchitecture[] = "x86_64";
#elif defined(__aarch64__)
struct Feature {
  const char* name;
  uint64_t bits;
};

// Of those that an executable may need (compiler/emit/NativeCode.cpp), as bits of AT_HWCAP.
constexpr Feature kFeatures[] = {{"neon", HWCAP_ASIMD}, {"fullfp16", HWCAP_FPHP | HWCAP_ASIMDHP}, {"sve", HWCAP_SVE}};

bool Has(const Feature& feature, uint64_t offered) { return (offered & feature.bits) == feature.bits; }

constexpr char kArchitecture[] = "aarch64";
#endif

std::set<std::string> FindHostCpuFeatures() {
  std::set<std::string> found;
#if defined(__x86_64__)
  uint64_t saved = SavedRegisters();
  for (const Feature& feature : kFeatures) {
    if (Has(feature, saved)) found.insert(feature.name);
  }
  const uint32_t avx10 = Avx10Version(saved);
  if (avx10 >= 1) found.insert("avx10.1");
  if (avx10 >= 2) found.insert("avx10.2");
#elif defined(__aarch64__)
  for (const Feature& feature : kFeatures) {
    if (Has(feature, getauxval(AT_HWCAP))) found.insert(feature.name);
  }
#endif
  return found;
}

}  // namespace

const std::set<std::string>& HostCpuFeatures() {
  // A virtual machine answers each CPUID instruction in tens of microseconds.
  static const auto& found = *new std::set<std::string>(FindHostCpuFeatures());
  return found;
}

absl::Status CheckCpuFeatures(const std::vector<std::string>& required, const std::set<std::string>& host) {
  std::vector<std::string> missing;
  for (const std::string& name : required) {
    if (!host.count(name)) missing.push_back(name);
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      "needs CPU features that this processor or this system does not offer: ", absl::StrJoin(missing, ", "),
      "; compile again for this machine (plumbc --target-cpu=native) or for an older one (--target-cpu=x86-64-v2)"));
}

absl::Status CheckTargetTriple(absl::string_view triple) {
  if (absl::StartsWith(triple, kArchitecture) && absl::StrContains(triple, "linux")) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("made for '", triple, "'; this machine runs '", kArchitecture, "-…-linux-gnu'"));
}

}  // namespace plumb
