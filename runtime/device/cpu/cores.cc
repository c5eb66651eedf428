// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device/cpu/cores.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/device/cpu/thread_pool.h"

namespace plumb {
namespace {

/// An identifier of the core of `cpu`: the list of its hyperthreads as Linux writes it, or else the number of `cpu`
/// itself.
std::string CoreOf(int cpu) {
  std::ifstream file(absl::StrCat("/sys/devices/system/cpu/cpu", cpu, "/topology/thread_siblings_list"));
  std::string siblings;
  return std::getline(file, siblings) && !siblings.empty() ? siblings : std::to_string(cpu);
}

/// Cores in the process's affinity mask.
uint32_t CountAllowedCores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  std::set<std::string> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) cores.insert(CoreOf(cpu));
  }
  return static_cast<uint32_t>(cores.size());
}

/// The container's limit of processor time, in processors; kMaxThreads if there is no limit.
double CountQuota() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0, microseconds = 0;
  if (!(file >> quota >> period) || period <= 0 || !absl::SimpleAtod(quota, &microseconds))
    return ThreadPool::kMaxThreads;
  return microseconds / period;
}

}  // namespace

uint32_t CountCores() {
  const double cores =
      std::min<double>({static_cast<double>(CountAllowedCores()), CountQuota(), ThreadPool::kMaxThreads});
  return static_cast<uint32_t>(std::max(cores, 1.0));
}

uint32_t DefaultThreads() {
  const char* text = std::getenv("PLUMB_THREADS");
  uint32_t threads = 0;
  const bool is_set = text != nullptr && absl::SimpleAtoi(text, &threads) && threads > 0;
  return is_set ? std::min(threads, ThreadPool::kMaxThreads) : CountCores();
}

}  // namespace plumb
