// SPDX-License-Identifier: BSD-3-Clause
#include "cli/devices/given_devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/say.hpp"
#include "cli/devices/device_words.hpp"
#include "cli/inspect/text.hpp"
#include "mask/cpu_list.hpp"
#include "mask/cpu_mask.hpp"
#include "options/table.hpp"
#include "plan/parts.hpp"
#include "ranks/launcher.hpp"
#include "ranks/meeting/job_key.hpp"
#include "ranks/meeting/meeting.hpp"

namespace nestbind::cli {

namespace {

using machine::Hardware;

// The meeting has one mask for each rank. It has the rank's processors (in a dry run, none), and,
// from this number on, the devices that the rank sees.
constexpr int kFirstDevice = mask::kMaxCpus - machine::kMostDevices;

using Member = std::vector<int>;  // the numbers in its mask

// All ranks of the node. A missing rank is like this one.
std::vector<Member> meet(const ranks::Launcher* by, int local, int of, const Member& own) {
  std::vector<Member> members(static_cast<std::size_t>(of), own);
  if (of < 2 || of > ranks::kMostRanks) {
    return members;
  }
  const ranks::Job job = ranks::find_job(by, of);
  constexpr std::uint64_t kForDevices = 0x64657669636573;  // not the meeting of the library
  const ranks::Rank rank{local, of, job.key ^ kForDevices, job.space};
  mask::MaskBuffer mask{};
  for (const int number : own) {
    mask::add(mask.bits, number);
  }
  ranks::Sheet sheet;
  if (const char* const fault = ranks::gather(rank, mask.view(), sheet); fault != nullptr) {
    if (local == 0) {
      warn(
          "the ranks of this node cannot meet in {} ({}): each rank assumes that all ranks have "
          "the same mask and the same devices",
          options::settings().publish, fault);
    }
    return members;
  }
  for (int other = 0; other < of; ++other) {
    mask::MaskBuffer theirs{};
    if (other != local && ranks::copy_mask(sheet, other, theirs)) {
      members[static_cast<std::size_t>(other)] = mask::cpus_in(theirs.view());
    }
  }
  return members;
}

// The processors of each rank: ranks with the same mask divide it, as the library will do.
std::vector<std::vector<int>> parts_of(const std::vector<Member>& members, const Hardware& hardware,
                                       const spec::Spec* spec, const MachineOptions& machine) {
  const spec::Need need = spec == nullptr ? spec::Need{1, true} : spec::need_of(*spec);
  const bool is_shared = options::settings().ranks == options::Ranks::kShared;
  options::Settings settings;
  take(options::kTable[options::kCores].rule, machine.cores.c_str(), settings);
  std::map<std::vector<int>, std::vector<std::size_t>> with_mask;
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const Member& member = members[rank];
    const std::vector<int> cpus(member.begin(), std::ranges::lower_bound(member, kFirstDevice));
    with_mask[cpus].push_back(rank);
  }
  std::vector<std::vector<int>> parts(members.size());
  for (const auto& [cpus, ranks] : with_mask) {
    const auto topology = machine::Topology::of(hardware, machine.machine,
                                                cpus.empty() ? std::nullopt : std::optional(cpus));
    const int count = is_shared ? 1 : static_cast<int>(ranks.size());
    const auto own = plan::make_parts(topology, count, need.threads, need.is_open,
                                      static_cast<machine::CoreChoice>(settings.cores));
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      parts[ranks[i]] = own[is_shared ? 0 : i];
    }
  }
  return parts;
}

// The report's JSON has this text without escapes.
std::string remark_on(const Pool& pool, const std::string& what) {
  const char* const value = pool.is_set ? std::getenv(pool.family->variable) : nullptr;
  std::string text =
      pool.family->variable + (value == nullptr ? "" : std::string("=") + value) + " " + what;
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; }, '?');
  return text;
}

std::vector<Pool> pools_of(const std::string& wish, const Hardware& hardware, bool is_here) {
  std::vector<Pool> pools;
  for (const Family& family : kFamilies) {
    if (wish.find(machine::word_of(family.kind)) != std::string::npos) {
      pools.push_back(pool_of(family, hardware, is_here));
    }
  }
  return pools;
}

// Divides the devices of one pool among the ranks that see the same devices of its family.
std::vector<int> share_of(const Pool& pool, const Hardware& hardware,
                          const std::vector<Member>& members, int local,
                          const std::vector<std::vector<int>>& parts) {
  std::vector<int> devices = pool.devices;
  std::ranges::sort(devices);
  const auto sees_the_same = [&](const Member& member) {
    return std::ranges::all_of(devices_of(*pool.family, hardware), [&](int one) {
      return std::ranges::binary_search(member, kFirstDevice + one) ==
             std::ranges::binary_search(devices, one);
    });
  };
  std::vector<std::vector<int>> ranks;
  std::size_t own = 0;
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    if (static_cast<int>(rank) == local) {
      own = ranks.size();
    }
    if (sees_the_same(members[rank])) {
      ranks.push_back(parts[rank]);
    }
  }
  return machine::divide_devices(hardware, devices, ranks)[own];
}

}  // namespace

std::vector<std::vector<int>> devices_of_ranks(const Hardware& hardware,
                                               const std::vector<std::vector<int>>& ranks) {
  std::vector<std::vector<int>> all(ranks.size());
  for (const Family& family : kFamilies) {
    const auto shares = machine::divide_devices(hardware, devices_of(family, hardware), ranks);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      all[rank].insert(all[rank].end(), shares[rank].begin(), shares[rank].end());
    }
  }
  return all;
}

std::string give_devices(const std::string& wish, const spec::Spec* spec, const Hardware& hardware,
                         const MachineOptions& machine) {
  options::read();
  const options::Settings& settings = options::settings();
  const ranks::Told told = ranks::told_in(options::variable);
  const bool is_by_hand = settings.ranks == options::Ranks::kByHand;
  const int local = is_by_hand ? settings.local_rank : told.local;
  const int of = std::max(is_by_hand ? settings.local_ranks : told.of, 1);
  const char* const unknown = told.by == nullptr ? ranks::rank_of_unknown(options::variable)
                                                 : options::variable(told.by->local);
  if (!is_by_hand && told.of == 0 && unknown != nullptr) {
    if (ranks::number_in(unknown) == 0) {
      warn(
          "the launcher does not say how many ranks are on this node, so no devices are given; set "
          "NESTBIND_RANKS=LOCAL/OF");
    }
    return "";
  }
  const bool is_here = machine.machine.empty();
  if (hardware.devices.empty() && local == 0) {
    warn("{}", why_no_devices(machine.machine));
  }
  const std::vector<Pool> pools = pools_of(wish, hardware, is_here);
  Member own;
  if (is_here) {
    own = own_processors().value_or(Member());
    std::erase_if(own, [](int cpu) { return cpu >= kFirstDevice; });
  }
  for (const Pool& pool : pools) {
    std::ranges::transform(pool.devices, std::back_inserter(own),
                           [](int one) { return kFirstDevice + one; });
  }
  std::ranges::sort(own);
  const std::vector<Member> members = meet(is_by_hand ? nullptr : told.by, local, of, own);
  const auto parts = parts_of(members, hardware, spec, machine);
  std::vector<int> given;
  std::vector<std::string> remarks;
  for (const Pool& pool : pools) {
    std::string fault = pool.fault;
    std::vector<int> share = share_of(pool, hardware, members, local, parts);
    // A value keeps its order, because the first device is the program's device 0.
    std::ranges::sort(share, {}, [&](int one) {
      return std::ranges::find(pool.devices, one) - pool.devices.begin();
    });
    const std::string value = share.empty() ? "" : value_for(pool, hardware, share, fault);
    if (!fault.empty()) {
      remarks.push_back(remark_on(pool, fault));
      if (local == 0) {
        warn("--devices: {}; it stays as it is", remarks.back());
      }
    } else if (pool.is_set) {
      remarks.push_back(remark_on(pool, "was set before: only these devices were divided"));
    }
    if (!value.empty()) {
      setenv(pool.family->variable, value.c_str(), 1);
      given.insert(given.end(), share.begin(), share.end());
    }
  }
  if (!is_here && local == 0) {
    remark("dry run: the variables name devices of {}", machine.machine);
  }
  return names_of(hardware, given, false) + (remarks.empty() ? "" : "; ") +
         inspect::join(remarks, "; ");
}

void follow_gpus(const Hardware& hardware, const MachineOptions& machine) {
  const bool is_here = machine.machine.empty();
  std::vector<std::vector<int>> beside;
  std::string why = "no variable shows it GPUs";
  for (const Pool& pool : pools_of("gpu", hardware, is_here)) {
    if (pool.is_set && !pool.fault.empty()) {
      why = remark_on(pool, pool.fault);
    }
    for (const int one : pool.is_set ? pool.devices : std::vector<int>()) {
      beside.push_back(machine::cpus_beside(hardware, hardware.devices[one]));
      why = "it may use no processor beside its GPUs";
    }
  }
  std::vector<int> rest = is_here ? own_processors().value_or(std::vector<int>()) : hardware.cpus;
  std::erase_if(rest, [&](int cpu) {
    return std::ranges::none_of(
        beside, [&](const auto& cpus) { return std::ranges::binary_search(cpus, cpu); });
  });
  if (rest.empty()) {
    remark("--follow=gpu: this process keeps its mask, because {}", why);
  } else if (!is_here) {
    remark("dry run: on {} this process would keep to processors {}", machine.machine,
           mask::list(rest));
  } else {
    confine_to(rest, mask::list(rest));
  }
}

}  // namespace nestbind::cli
