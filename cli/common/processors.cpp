// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <iterator>

#include "cli/common/say.hpp"
#include "mask/cpu_list.hpp"

namespace nestbind::cli {

namespace {

std::string list_without(const std::vector<int>& wanted, const std::vector<int>& there) {
  std::vector<int> missing;
  std::ranges::set_difference(wanted, there, std::back_inserter(missing));
  const char* word = missing.size() == 1 ? "processor " : "processors ";
  return missing.empty() ? "" : word + mask::list(std::move(missing));
}

}  // namespace

std::optional<std::vector<int>> read_processors(const std::string& list) {
  auto cpus = mask::parse_list(list);
  if (!cpus) {
    say("--cpus {}: expected a list of processors such as 0-3,8", list);
  }
  return cpus;
}

std::string missing_processors(const std::vector<int>& wanted, const machine::Hardware& hardware) {
  std::vector<int> there;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (hardware.is_allowed[p]) {
      there.push_back(hardware.cpus[p]);
    }
  }
  std::ranges::sort(there);
  return list_without(wanted, there);
}

std::optional<std::vector<int>> own_processors() {
  // The kernel refuses a mask that is shorter than its own.
  mask::MaskBuffer own{};
  if (sched_getaffinity(0, sizeof own.bits, reinterpret_cast<cpu_set_t*>(own.bits)) != 0) {
    return std::nullopt;
  }
  return mask::cpus_in(own.view());
}

bool confine_to(const std::vector<int>& cpus, const std::string& list) {
  mask::MaskBuffer wanted{};
  for (const int cpu : cpus) {
    if (cpu < mask::kMaxCpus) {
      mask::add(wanted.bits, cpu);
    }
  }
  const auto* const bits = reinterpret_cast<const cpu_set_t*>(wanted.bits);
  // The kernel takes those that it can of a mask, and refuses one of which it can take none.
  const bool is_taken = sched_setaffinity(0, sizeof wanted.bits, bits) == 0;
  const auto own = own_processors();
  const std::string missing = list_without(cpus, is_taken && own ? *own : std::vector<int>());
  if (!missing.empty()) {
    say("--cpus {}: this machine has no {} that may be used", list, missing);
  }
  return missing.empty();
}

}  // namespace nestbind::cli
