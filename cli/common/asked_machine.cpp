// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/asked_machine.hpp"

#include <sched.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "machine/cache/probed.hpp"
#include "machine/hwloc/topology_border.hpp"
#include "machine/loading/load_machine.hpp"
#include "mask/cpu_list.hpp"
#include "options/table.hpp"
#include "support/cgroup.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli {

namespace {

bool has_all(const machine::Hardware& hardware, const std::optional<std::vector<int>>& asked,
             const MachineOptions& options) {
  const std::string missing = asked ? missing_processors(*asked, hardware) : "";
  if (!missing.empty()) {
    say("--cpus {}: {} has no {} that may be used", options.cpus,
        options.machine.empty() ? "this machine" : options.machine, missing);
  }
  return missing.empty();
}

int quota_of(const MachineOptions& options) {
  const bool is_own = options.quota == 0 && options.machine.empty() &&
                      variable(options::kTable[options::kQuota].rule.name) != "ignore";
  return is_own ? support::cpu_quota().threads() : options.quota;
}

std::string list_without(const std::vector<int>& wanted, const std::vector<int>& there) {
  std::vector<int> missing;
  std::ranges::set_difference(wanted, there, std::back_inserter(missing));
  const char* word = missing.size() == 1 ? "processor " : "processors ";
  return missing.empty() ? "" : word + mask::list(std::move(missing));
}

}  // namespace

std::optional<AskedMachine> read_asked_machine(const MachineOptions& options, int& status) {
  status = kUsage;
  std::optional<std::vector<int>> asked;
  if (!options.cpus.empty()) {
    asked = read_processors(options.cpus);
    if (!asked) {
      return std::nullopt;
    }
  }
  const auto library = find_library("");
  if (!library) {
    status = kFailure;
    return std::nullopt;
  }
  options::Settings settings;
  take(options::kTable[options::kSmt].rule, options.smt.c_str(), settings);
  take(options::kTable[options::kCores].rule, options.cores.c_str(), settings);
  take(options::kTable[options::kDistances].rule, options.distances.c_str(), settings);
  try {
    machine::Hardware hardware = read_machine(*library, options.machine, options.with_devices);
    if (settings.probed_distances && options.machine.empty()) {
      const std::string cache = variable("NESTBIND_CACHE");
      machine::cache::add_probed(hardware, cache.empty() ? nullptr : cache.c_str());
    }
    if (settings.probed_distances && !machine::use_probed_distances(hardware)) {
      warn("{}", support::kNoneMeasured);
    }
    if (!has_all(hardware, asked, options)) {
      return std::nullopt;
    }
    const auto allowed = asked || !options.machine.empty() ? asked : own_processors();
    status = kSuccess;
    const auto topology = machine::Topology::of(hardware, options.machine, allowed);
    return AskedMachine{topology,
                        std::move(hardware),
                        allowed,
                        settings.smt,
                        static_cast<machine::CoreChoice>(settings.cores),
                        quota_of(options)};
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    status = kFailure;
    return std::nullopt;
  }
}

std::string beside(const std::string& library, const std::string& module) {
  return library.substr(0, library.rfind('/') + 1) + NESTBIND_PLANNER_SUBDIR + "/" + module;
}

std::string topology_module(const std::string& library) {
  return beside(library, machine::hwloc::kTopologyFile);
}

machine::Hardware read_machine(const std::string& library, const std::string& source,
                               bool with_devices) {
  return machine::loading::load_and_read(topology_module(library), source, with_devices);
}

machine::Hardware find_machine_with_devices(const std::string& library, const std::string& source) {
  mask::MaskBuffer own{};
  if (!source.empty() ||
      sched_getaffinity(0, sizeof own.bits, reinterpret_cast<cpu_set_t*>(own.bits)) != 0) {
    return read_machine(library, source, true);
  }
  const std::string cache = variable("NESTBIND_CACHE");
  return machine::loading::find_hardware(cache.empty() ? nullptr : cache.c_str(), own.view(), true,
                                         beside(library, "libnestbind-planner.so"));
}

machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed) {
  return machine::Topology::of(read_machine(library, source), source, allowed);
}

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
  // The kernel refuses a buffer that is shorter than its own mask.
  mask::MaskBuffer own{};
  if (sched_getaffinity(0, sizeof own.bits, reinterpret_cast<cpu_set_t*>(own.bits)) != 0) {
    return std::nullopt;
  }
  return mask::cpus_in(own.view());
}

bool confine_to(const std::vector<int>& cpus, const std::string& asked) {
  mask::MaskBuffer wanted{};
  for (const int cpu : cpus) {
    if (cpu < mask::kMaxCpus) {
      mask::add(wanted.bits, cpu);
    }
  }
  const auto* const bits = reinterpret_cast<const cpu_set_t*>(wanted.bits);
  // The kernel removes forbidden processors from a mask, and refuses an empty mask.
  const bool is_taken = sched_setaffinity(0, sizeof wanted.bits, bits) == 0;
  const auto own = own_processors();
  std::vector<int> sorted = cpus;
  std::ranges::sort(sorted);
  const std::string missing = list_without(sorted, is_taken && own ? *own : std::vector<int>());
  if (!missing.empty()) {
    say("{}: this machine has no {} that may be used", asked, missing);
  }
  return missing.empty();
}

}  // namespace nestbind::cli
