// SPDX-License-Identifier: BSD-3-Clause
#include "cli/devices/given_devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

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
#include "support/decimal.hpp"

namespace nestbind::cli {

namespace {

using machine::Hardware;

// The meeting has one mask for each rank. It has the rank's processors (in a dry run, none), and,
// from this number on, the devices that the rank sees.
constexpr int kFirstDevice = mask::kMaxCpus - machine::kMostDevices;

using Member = std::vector<int>;  // the numbers in its mask

// Which rank of its node this process is. Nothing, after a warning of the first rank, if the
// launcher does not say how many there are.
std::optional<ranks::Told> find_self() {
  options::read();
  const options::Settings& settings = options::settings();
  if (settings.ranks == options::Ranks::kByHand) {
    return ranks::Told{nullptr, settings.local_rank, settings.local_ranks};
  }
  const ranks::Told told = ranks::told_in(options::variable);
  const char* const unknown = told.by == nullptr ? ranks::rank_of_unknown(options::variable)
                                                 : options::variable(told.by->local);
  if (told.of == 0 && unknown != nullptr) {
    if (ranks::number_in(unknown) == 0) {
      warn(
          "the launcher does not say how many ranks are on this node, so they do not divide its "
          "devices; set NESTBIND_RANKS=LOCAL/OF");
    }
    return std::nullopt;
  }
  return ranks::Told{told.by, told.local, std::max(told.of, 1)};
}

// All ranks of the node. A missing rank is like this one.
std::vector<Member> meet(const ranks::Told& self, const Member& own) {
  std::vector<Member> members(static_cast<std::size_t>(self.of), own);
  if (self.of < 2 || self.of > ranks::kMostRanks) {
    return members;
  }
  const ranks::Job job = ranks::find_job(self.by, self.of);
  constexpr std::uint64_t kForDevices = 0x64657669636573;  // not the meeting of the library
  mask::MaskBuffer mask{};
  for (const int number : own) {
    mask::add(mask.bits, number);
  }
  ranks::Sheet sheet;
  if (const char* const fault = ranks::gather(
          {self.local, self.of, job.key ^ kForDevices, job.space}, mask.view(), sheet);
      fault != nullptr) {
    if (self.local == 0) {
      warn(
          "the ranks of this node cannot meet in {} ({}): each rank assumes that all ranks have "
          "the same mask and the same devices",
          options::settings().publish, fault);
    }
    return members;
  }
  for (int other = 0; other < self.of; ++other) {
    mask::MaskBuffer theirs{};
    if (other != self.local && ranks::copy_mask(sheet, other, theirs)) {
      members[other] = mask::cpus_in(theirs.view());
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
std::string remark_on(const Pool& pool) {
  std::string text = pool.family->variable;
  text += pool.is_set ? std::string("=") + std::getenv(pool.family->variable) : "";
  text +=
      pool.fault.empty() ? " was set before: only these devices were divided" : " " + pool.fault;
  std::ranges::replace_if(
      text, [](char c) { return !support::is_printable(c) || c == '"' || c == '\\'; }, '?');
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
  const auto seen_by = [&](const Member& member) {
    std::vector<int> seen = machine::to_divide(hardware, pool.family->kind, pool.family->vendor);
    std::erase_if(seen,
                  [&](int one) { return !std::ranges::binary_search(member, kFirstDevice + one); });
    return seen;
  };
  const std::vector<int> devices = seen_by(members[local]);
  std::vector<std::vector<int>> ranks;
  std::size_t own = 0;
  for (int rank = 0; rank < std::ssize(members); ++rank) {
    own = rank == local ? ranks.size() : own;
    if (seen_by(members[rank]) == devices) {
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
    const auto shares = machine::divide_devices(
        hardware, machine::to_divide(hardware, family.kind, family.vendor), ranks);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      all[rank].insert(all[rank].end(), shares[rank].begin(), shares[rank].end());
    }
  }
  return all;
}

std::string give_devices(const std::string& wish, const spec::Spec* spec, const Hardware& hardware,
                         const MachineOptions& machine) {
  const auto self = find_self();
  if (!self) {
    return "";
  }
  const bool is_here = machine.machine.empty();
  const std::vector<Pool> pools = pools_of(wish, hardware, is_here);
  if (self->local == 0 && std::ranges::all_of(pools, [&](const Pool& pool) {
        return machine::to_divide(hardware, pool.family->kind, pool.family->vendor).empty();
      })) {
    warn("{}", hardware.devices.empty() ? why_no_devices(machine.machine)
                                        : "--devices=" + wish + ": the machine has no such device");
  }
  Member own = is_here ? own_processors().value_or(Member()) : Member();
  std::erase_if(own, [](int cpu) { return cpu >= kFirstDevice; });
  for (const Pool& pool : pools) {
    for (const int one : pool.devices) {
      own.push_back(kFirstDevice + one);
    }
  }
  std::ranges::sort(own);
  const std::vector<Member> members = meet(*self, own);
  const auto parts = parts_of(members, hardware, spec, machine);
  std::vector<std::string> given;
  std::vector<std::string> remarks;
  for (const Pool& pool : pools) {
    if (pool.is_set || !pool.fault.empty()) {
      remarks.push_back(remark_on(pool));
    }
    if (!pool.fault.empty()) {
      if (self->local == 0) {
        warn("--devices: {}; it stays as it is", remarks.back());
      }
      continue;
    }
    const std::vector<int> share = share_of(pool, hardware, members, self->local, parts);
    std::vector<std::string> words;
    // A value keeps its order, because the first device is the program's device 0.
    for (std::size_t i = 0; i < pool.devices.size(); ++i) {
      if (std::ranges::binary_search(share, pool.devices[i])) {
        words.push_back(pool.words[i]);
        given.push_back(hardware.devices[pool.devices[i]].name);
      }
    }
    if (!words.empty()) {
      setenv(pool.family->variable, inspect::join(words, ",").c_str(), 1);
    }
    if (!words.empty() && pool.has_numbers) {
      setenv(pool.family->order, pool.family->by_address, 1);
    }
  }
  if (!is_here && self->local == 0 && !given.empty()) {
    remark("dry run: the variables name devices of {}", machine.machine);
  }
  return inspect::join(given, ", ") + (remarks.empty() ? "" : "; ") + inspect::join(remarks, "; ");
}

std::vector<int> follow_gpus(const spec::Spec* spec, const Hardware& hardware,
                             const MachineOptions& machine) {
  const bool is_here = machine.machine.empty();
  std::vector<std::vector<int>> beside;
  std::string why = machine::to_divide(hardware, machine::DeviceKind::kGpu).empty()
                        ? "hwloc finds no GPU"
                        : "no variable shows it GPUs";
  for (const Pool& pool : pools_of("gpu", hardware, is_here)) {
    if (pool.is_set && pool.devices.empty()) {
      why = remark_on(pool);
    }
    for (const int one : pool.is_set ? pool.devices : std::vector<int>()) {
      beside.push_back(machine::cpus_beside(hardware, hardware.devices[one]));
      why = "it may use no processor beside its GPUs";
    }
  }
  std::vector<int> rest = is_here ? own_processors().value_or(std::vector<int>()) : hardware.cpus;
  std::ranges::sort(rest);  // the machine's are in the order of its cores
  std::erase_if(rest, [&](int cpu) {
    return std::ranges::none_of(
        beside, [&](const auto& cpus) { return std::ranges::binary_search(cpus, cpu); });
  });
  if (rest.empty()) {
    remark("--follow=gpu: this process keeps its mask, because {}", why);
    return {};
  }
  if (is_here) {
    confine_to(rest, mask::list(rest));
    return {};
  }
  remark("dry run: on {} this process would keep to processors {}", machine.machine,
         mask::list(rest));
  const auto self = find_self();
  return self ? parts_of(meet(*self, rest), hardware, spec, machine)[self->local] : rest;
}

}  // namespace nestbind::cli
