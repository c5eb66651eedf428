// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/kernel_profile.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/abi/kernel_timer.h"
#include "runtime/base/json.h"
#include "runtime/base/status.h"
#include "runtime/executable/elf_image.h"
#include "runtime/executable/executable.h"

namespace plumb {
namespace {

absl::string_view Text(absl::Span<const uint8_t> bytes) {
  return absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// Where each function and variable of the symbol table begins and ends.
std::map<std::string, std::pair<uint64_t, uint64_t>> ReadSymbols(const ElfImage& image) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> symbols;
  const ElfSection* table = image.Find(".symtab");
  const ElfSection* names = image.Find(".strtab");
  if (table == nullptr || names == nullptr) return symbols;
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= table->bytes.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, table->bytes.data() + at, sizeof(symbol));
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_FUNC && type != STT_OBJECT) || symbol.st_name >= names->bytes.size()) continue;
    absl::string_view name = Text(names->bytes.subspan(symbol.st_name));
    symbols[std::string(name.substr(0, name.find('\0')))] = {symbol.st_value, symbol.st_value + symbol.st_size};
  }
  return symbols;
}

/// One line of the table; see compiler/emit/KernelTable.cpp.
absl::StatusOr<KernelProfile> ReadLine(const std::vector<std::string>& fields) {
  KernelProfile kernel;
  double* const numbers[] = {&kernel.flops, &kernel.bytes_read, &kernel.bytes_written};
  if (fields.size() != 7 || !absl::SimpleAtoi(fields[2], &kernel.calls)) {
    return absl::DataLossError("the table of kernels has a line that cannot be read");
  }
  for (size_t i = 0; i < 3; ++i) {
    if (!absl::SimpleAtod(fields[3 + i], numbers[i])) return absl::DataLossError("the table of kernels lacks a number");
    *numbers[i] *= static_cast<double>(kernel.calls);
  }
  kernel.name = fields[1];
  kernel.source = fields[6];
  return kernel;
}

double PerSecond(double count, double microseconds) { return microseconds > 0 ? count / microseconds : 0; }

std::string Share(double part, double whole) {
  return whole > 0 && part > 0 ? absl::StrFormat("%.1f %%", 100 * part / whole) : "";
}

std::string Row(const KernelProfile& kernel, const StepProfile& profile) {
  const double gflops = PerSecond(kernel.flops, kernel.microseconds) / 1e3;
  const double bytes = kernel.bytes_read + kernel.bytes_written;
  return absl::StrFormat("%6s %9.1f %8s %8s %8s %9.3f %9.3f %7.1f  %s  %s\n",
                         kernel.calls == 0 ? "" : absl::StrCat(kernel.calls), kernel.microseconds,
                         Share(kernel.microseconds, profile.step_microseconds),
                         kernel.flops > 0 ? absl::StrFormat("%.1f", gflops) : "", Share(gflops, profile.peak_gflops),
                         kernel.bytes_read / 1e6, kernel.bytes_written / 1e6,
                         PerSecond(bytes, kernel.microseconds) / 1e3, kernel.name, kernel.source);
}

/// All kernels as one.
KernelProfile Sum(const StepProfile& profile) {
  KernelProfile sum;
  sum.name = "all kernels";
  for (const KernelProfile& kernel : profile.kernels) {
    sum.calls += kernel.calls;
    sum.flops += kernel.flops;
    sum.bytes_read += kernel.bytes_read;
    sum.bytes_written += kernel.bytes_written;
    sum.microseconds += kernel.microseconds;
  }
  return sum;
}

void WriteJson(const KernelProfile& kernel, JsonWriter& json) {
  json.BeginObject().Key("name").String(kernel.name).Key("source").String(kernel.source);
  json.Key("calls").UInt(kernel.calls).Key("microseconds").Double(kernel.microseconds);
  if (kernel.ticks > 0) json.Key("ticks").Double(kernel.ticks);
  json.Key("flops").Double(kernel.flops).Key("bytes_read").Double(kernel.bytes_read);
  json.Key("bytes_written").Double(kernel.bytes_written).EndObject();
}

}  // namespace

absl::StatusOr<std::vector<KernelProfile>> ReadKernels(const std::string& path, const std::string& loop) {
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer bytes, ReadExecutableFile(path));
  PLUMB_ASSIGN_OR_RETURN(ElfImage image, ElfImage::Parse(bytes.span()));
  const ElfSection* table = image.Find(PLUMB_KERNELS_SECTION);
  if (table == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": has no table of kernels; compile it with plumbc --symbols"));
  }
  const auto symbols = ReadSymbols(image);
  std::vector<KernelProfile> kernels;
  for (absl::string_view line : absl::StrSplit(Text(table->bytes), '\n', absl::SkipEmpty())) {
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    if (fields[0] != loop) continue;
    PLUMB_ASSIGN_OR_RETURN(KernelProfile kernel, ReadLine(fields));
    auto symbol = symbols.find(kernel.name);
    if (symbol != symbols.end()) std::tie(kernel.begin, kernel.end) = symbol->second;
    auto timer = symbols.find(PLUMB_TIMER_PREFIX + kernel.name);
    if (timer != symbols.end()) kernel.timer = timer->second.first;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

void SetTimes(absl::Span<const uint64_t> samples, double microseconds, std::vector<KernelProfile>& kernels) {
  auto by_address = [](const KernelProfile& a, const KernelProfile& b) { return a.begin < b.begin; };
  std::sort(kernels.begin(), kernels.end(), by_address);
  for (uint64_t address : samples) {
    KernelProfile at;
    at.begin = address;
    auto kernel = std::upper_bound(kernels.begin(), kernels.end(), at, by_address);
    if (kernel != kernels.begin() && address < (--kernel)->end) ++kernel->samples;
  }
  for (KernelProfile& kernel : kernels) kernel.microseconds = static_cast<double>(kernel.samples) * microseconds;
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelProfile& a, const KernelProfile& b) { return a.microseconds > b.microseconds; });
}

uint64_t ReadTickCounter() {
#if defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return __builtin_ia32_rdtsc();
#endif
}

void ClearTimers(uintptr_t base, const std::vector<KernelProfile>& kernels) {
  for (const KernelProfile& kernel : kernels) {
    if (kernel.timer != 0) *reinterpret_cast<uint64_t*>(base + kernel.timer) = 0;
  }
}

bool SetTimesFromTimers(uintptr_t base, int64_t steps, double microseconds, std::vector<KernelProfile>& kernels) {
  bool has_any = false;
  for (KernelProfile& kernel : kernels) {
    if (kernel.timer == 0) continue;
    has_any = true;
    const auto* timer = reinterpret_cast<const uint64_t*>(base + kernel.timer);
    std::vector<uint64_t> ticks(timer + 1, timer + 1 + std::min<uint64_t>(timer[0], PLUMB_TIMER_LENGTH));
    if (ticks.empty()) continue;
    std::nth_element(ticks.begin(), ticks.begin() + ticks.size() / 2, ticks.end());
    kernel.ticks = static_cast<double>(ticks[ticks.size() / 2]);
    const double calls = static_cast<double>(timer[0]) / static_cast<double>(std::max<int64_t>(steps, 1));
    kernel.microseconds = kernel.ticks * calls * microseconds;
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelProfile& a, const KernelProfile& b) { return a.microseconds > b.microseconds; });
  return has_any;
}

std::string ProfileToText(const StepProfile& profile) {
  std::string text = absl::StrFormat("%.1f us a step; FMA peak of one core %.1f GFLOP/s; of a step:\n",
                                     profile.step_microseconds, profile.peak_gflops);
  absl::StrAppendFormat(&text, "%6s %9s %8s %8s %8s %9s %9s %7s  %s\n", "calls", "us", "share", "GFLOP/s", "of peak",
                        "MB read", "written", "GB/s", "kernel");
  for (const KernelProfile& kernel : profile.kernels) text += Row(kernel, profile);
  text += Row(Sum(profile), profile);
  text.pop_back();
  return text;
}

std::string ProfileToJson(const StepProfile& profile) {
  JsonWriter json;
  json.BeginObject().Key("step_microseconds").Double(profile.step_microseconds);
  json.Key("step_processor_microseconds").Double(profile.step_processor_microseconds);
  json.Key("peak_gflops").Double(profile.peak_gflops).Key("kernels").BeginArray();
  for (const KernelProfile& kernel : profile.kernels) WriteJson(kernel, json);
  return json.EndArray().EndObject().text();
}

}  // namespace plumb
