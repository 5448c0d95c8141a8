// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/watcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <list>
#include <numeric>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/source/source_lines.hpp"
#include "cli/top/process_files.hpp"
#include "memory/kernel/mappings.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/spread/page_parts.hpp"
#include "support/file_bytes.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::cli::memory {

namespace {

namespace kernel = nestbind::memory::kernel;
namespace watch = nestbind::memory::watch;
using watch::Record;

constexpr std::uint64_t kMilli = 1'000'000;
constexpr std::uint64_t kFirstPause = 5 * kMilli;
constexpr int kMostWait = 20;  // milliseconds; after a longer wait a small ring may be full

std::vector<int> threads_of(std::uint32_t process) {
  return top::numbers_in(fmt::format("/proc/{}/task", process).c_str());
}

// Returns the processors of all threads, because a runtime may have bound the initial thread.
std::vector<int> processors_of(const std::vector<int>& threads) {
  std::set<int> all;
  for (const int thread : threads) {
    const std::vector<int> own = top::allowed_of(thread);
    all.insert(own.begin(), own.end());
  }
  return {all.begin(), all.end()};
}

std::uint64_t nanoseconds_now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 * kMilli +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::string folder_of(std::uint32_t process) { return "/proc/" + std::to_string(process); }

// The process may run in a container, where this name means another file. So the inodes are
// compared. Other files are opened now, because the process may end before the file is read.
void find_file(std::uint32_t process, const Record& record, Watched& watched, Module& module) {
  struct stat here{};
  if (stat(record.name.c_str(), &here) == 0 && here.st_ino == record.inode) {
    module.file = record.name;
    return;
  }
  const std::string inside = folder_of(process) + "/root" + record.name;
  const auto file = std::make_shared<const support::Descriptor>(
      open(inside.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  watched.files.push_back(file);
  module.file = file->is_open() ? fmt::format("/proc/self/fd/{}", file->number()) : record.name;
}

}  // namespace

Watcher::Watcher(const WatchedRun& options)
    : options_(options),
      begun_(nanoseconds_now()),
      next_look_(begun_ + kFirstPause),
      look_pause_(kFirstPause) {}

void Watcher::begin(pid_t child) {
  const std::vector<int> mask = processors_of({child});
  const std::vector<int> processors = watched_processors(mask);
  processors_left_out_ = static_cast<int>(mask.size() - processors.size());
  add(static_cast<std::uint32_t>(child), begun_);
  if (const int error = rings_.open({child}, processors, true); error != 0) {
    refusal_ = words_of_refusal(error);
  }
}

int Watcher::begin_running(pid_t process) {
  const support::File pagemap(fmt::format("/proc/{}/pagemap", process).c_str());
  if (!pagemap.is_open()) {
    return errno;
  }
  Watched& watched = add(static_cast<std::uint32_t>(process), begun_);
  read_modules(watched);
  const std::vector<int> threads = threads_of(watched.table.process());
  watched.threads.assign(threads.begin(), threads.end());
  const bool is_once = options_.seconds == 0;
  const int error =
      is_once ? 0 : rings_.open(threads, watched_processors(processors_of(threads)), false);
  refusal_ = is_once      ? "--seconds N also shows which nodes use them"
             : error != 0 ? words_of_refusal(error)
                          : "";
  if (is_once) {
    look_at_all(nullptr);
  }
  return 0;
}

Watched& Watcher::add(std::uint32_t process, std::uint64_t time) {
  programs_.push_back(std::make_unique<Watched>(process, time));
  Watched& watched = *programs_.back();
  live_[process] = &watched;
  watched.threads.push_back(process);
  return watched;
}

Watched* Watcher::live(std::uint32_t process) {
  const auto found = live_.find(process);
  return found == live_.end() ? nullptr : found->second;
}

Watched& Watcher::program_of(std::uint32_t process, std::uint64_t time) {
  Watched* const found = live(process);
  return found == nullptr ? add(process, time) : *found;
}

void Watcher::take_mapping(Watched& watched, const Record& record) {
  const std::uint64_t end = record.address + record.bytes;
  watched.table.add_mapping(record.address, end, record.time);
  if (record.inode == 0 && record.is_writable && !is_reservation(record.bytes)) {
    watched.table.expect(record.address, end, options_.least, record.time);
  }
  if (record.inode == 0 || !record.name.starts_with('/')) {
    return;
  }
  Module module{record.name, "", record.address, end, record.address - record.offset};
  const auto known = std::ranges::find(watched.modules, record.name, &Module::name);
  if (known != watched.modules.end() && known->base == module.base) {
    known->end = std::max(known->end, module.end);
  } else if (record.is_code || record.offset == 0) {
    find_file(watched.table.process(), record, watched, module);
    watched.modules.push_back(std::move(module));
  }
}

void Watcher::read_modules(Watched& watched) {
  for (const kernel::Mapping& mapping :
       kernel::read_mappings(static_cast<int>(watched.table.process()))) {
    Record record;
    record.address = mapping.range.begin;
    record.bytes = mapping.range.end - mapping.range.begin;
    record.offset = mapping.offset;
    record.inode = mapping.inode;
    record.name = mapping.name;
    record.time = begun_;
    take_mapping(watched, record);
  }
}

void Watcher::take(const Record& record) {
  switch (record.kind) {
    case Record::Kind::kFault:
      counted_[record.processor].taken += record.weight;
      program_of(record.process, record.time)
          .table.add_fault(record, kernel::nodes().of(static_cast<int>(record.processor)));
      break;
    case Record::Kind::kMapping:
      take_mapping(program_of(record.process, record.time), record);
      break;
    case Record::Kind::kExec: {
      Watched* const before = live(record.process);
      const bool is_new = before == nullptr || before->name.empty();
      if (!is_new) {
        before->has_ended = true;
      }
      Watched& watched = is_new && before != nullptr ? *before : add(record.process, record.time);
      watched.name = record.name;
      break;
    }
    case Record::Kind::kFork:
      if (record.process == record.parent) {
        program_of(record.process, record.time).threads.push_back(record.thread);
      } else if (Watched* const parent = live(record.parent)) {
        parent->table.add_fork(record.time);
        Watched& child = program_of(record.process, record.time);
        child.name = parent->name;
        child.modules = parent->modules;
        child.files = parent->files;
      }
      break;
    case Record::Kind::kLost:
      counted_[record.processor].lost += record.weight;
      break;
    default:
      break;
  }
}

// Sorts the records by time, because each ring has the records of one processor.
void Watcher::drain() {
  std::list<Record> records;
  rings_.drain([&](const Record& record) { records.push_back(record); });
  records.sort([](const Record& one, const Record& other) { return one.time < other.time; });
  for (const Record& record : records) {
    take(record);
  }
}

// Only a process that exists has this data.
void Watcher::read_surroundings(Watched& watched) {
  const std::string folder = folder_of(watched.table.process());
  std::error_code fault;
  const std::string program = std::filesystem::read_symlink(folder + "/exe", fault).string();
  watched.name = program.empty() ? watched.name : program;
  const std::string variables = '\0' + support::kernel_text(folder + "/environ");
  constexpr std::string_view kTeam("\0OMP_NUM_THREADS=", 17);
  if (const std::size_t at = variables.find(kTeam); at != std::string::npos) {
    watched.threads_wanted = std::atoi(variables.c_str() + at + kTeam.size());
  }
  const std::vector<int> processors = processors_of(threads_of(watched.table.process()));
  watched.mask = processors.size() >= watched.mask.size() ? processors : watched.mask;
}

void Watcher::look_at_all(const Looked& looked) {
  const Balanced before = std::exchange(balanced_, balanced_so_far());
  for (const auto& one : programs_) {
    if (one->has_ended) {
      continue;
    }
    Watched& watched = *one;
    const auto areas = find_areas(static_cast<int>(watched.table.process()), options_.least,
                                  watched.modules, arrays_, watched.chunks);
    // A process that ends loses its mappings first. In this case the earlier results are kept.
    watched.has_ended =
        areas.empty() && kernel::read_mappings(static_cast<int>(watched.table.process())).empty();
    if (watched.has_ended || (areas.empty() && watched.table.regions().empty())) {
      continue;
    }
    read_surroundings(watched);
    const int error = look(watched.table, areas, nanoseconds_now(), balanced_.hints - before.hints,
                           before, may_ask_, chance_);
    watched.has_ended = error == ESRCH;
    may_ask_ = may_ask_ && (error == 0 || error == ESRCH);
    if (error != ESRCH && looked) {
      looked(watched);
    }
  }
}

void Watcher::watch_until(int file, const Looked& looked) {
  const std::uint64_t end =
      options_.seconds == 0 ? UINT64_MAX
                            : begun_ + static_cast<std::uint64_t>(options_.seconds) * 1000 * kMilli;
  const auto has_ended = [](const auto& watched) { return watched->has_ended; };
  std::vector<pollfd> files{{file, POLLIN, 0}};
  rings_.add_to(files);
  while (true) {
    const std::uint64_t now = nanoseconds_now();
    const bool is_over = now >= end;
    if (file < 0 &&
        (is_over || options_.seconds == 0 || std::ranges::all_of(programs_, has_ended))) {
      return;
    }
    // After the time limit the rings are not read any more.
    files.resize(is_over ? 1 : files.size());
    const int wait = is_over
                         ? -1
                         : static_cast<int>(std::clamp<std::uint64_t>(
                               (next_look_ - std::min(next_look_, now)) / kMilli, 1, kMostWait));
    poll(files.data(), files.size(), wait);
    if (!is_over) {
      drain();
    }
    if ((files[0].revents & (POLLIN | POLLHUP | POLLNVAL)) != 0) {
      return;
    }
    // If an event has ended, each poll() returns at once.
    std::erase_if(files, [](const pollfd& one) { return (one.revents & POLLHUP) != 0; });
    if (!is_over && nanoseconds_now() >= next_look_) {
      const std::uint64_t begin = nanoseconds_now(CLOCK_PROCESS_CPUTIME_ID);
      look_at_all(looked);
      drain();
      constexpr std::uint64_t kPartOfTime = 4;  // the looks use at most 1/4 of a processor's time
      const std::uint64_t took = nanoseconds_now(CLOCK_PROCESS_CPUTIME_ID) - begin;
      look_pause_ = std::min(2 * look_pause_, watch::kLookInterval);
      next_look_ = nanoseconds_now() + std::max(look_pause_, kPartOfTime * took);
    }
  }
}

void Watcher::finish() {
  drain();
  std::ranges::for_each(programs_, [](const auto& watched) { watched->table.end(); });
}

std::uint64_t Watcher::lost() const {
  return std::accumulate(counted_.begin(), counted_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& one) { return sum + one.second.lost; });
}

bool Watcher::is_loss_even() const {
  constexpr std::uint64_t kSome = 20;  // one loss in kSome faults does not matter
  std::uint64_t all = 0;
  for (const auto& [processor, own] : counted_) {
    all += own.taken;
  }
  const std::uint64_t lost_of_all = lost();
  // No processor may lose more than twice the average share.
  return lost_of_all * kSome < all ||
         std::ranges::all_of(
             counted_,
             [&](const auto& one) {
               const auto& [taken, lost] = one.second;
               return lost * (all + lost_of_all) <= 2 * (taken + lost) * lost_of_all;
             });
}

const char* Watcher::tier() const {
  const bool is_balanced =
      std::atoi(support::kernel_text("/proc/sys/kernel/numa_balancing").c_str()) % 2 == 1;
  return !refusal_.empty() ? "pages" : is_balanced ? "hints" : "touches";
}

std::string Watcher::circumstances() const {
  std::string text;
  const bool is_one = kernel::nodes().count() == 1;
  if (!refusal_.empty()) {
    text = "only the nodes of pages are known: " + refusal_;
  } else if (is_one) {
    text = "first touches are sampled; this machine has one node, so all memory is local";
  } else if (std::string(tier()) == "hints") {
    std::uint64_t most = 0;
    for (const auto& watched : programs_) {
      std::uint64_t pages = 0;
      for (const watch::Region& region : watched->table.regions()) {
        pages += region.pages.size();
      }
      most = std::max(most, pages * kernel::page_bytes());
    }
    text = fmt::format(
        "first touches are sampled; the kernel's NUMA hint faults sample later uses; the first "
        "uses are seen after about {} s",
        seconds_to_users(rates_, most));
  } else {
    text =
        "first touches are sampled; later uses are not, because the kernel's NUMA balancing is "
        "off: an administrator turns it on by sysctl kernel.numa_balancing=1";
  }
  if (!may_ask_) {
    text +=
        "; the nodes of pages are not known: the system refuses move_pages(2), as Docker's usual "
        "filter does";
  }
  if (const std::string missing = source::Lines().missing(); refusal_.empty() && !missing.empty()) {
    text += "; the code of first touches is not known: " + missing;
  }
  if (processors_left_out_ > 0) {
    text += fmt::format("; {} processors are not watched: there are no samples of threads on them",
                        processors_left_out_);
  }
  if (lost() > 0) {
    text += fmt::format("; {} records are lost", lost());
  }
  return text;
}

watch::Facts facts_of(const Watched& watched, const watch::Region& region, const Watcher& watcher,
                      bool at_end) {
  watch::Facts facts;
  const kernel::Nodes& nodes = kernel::nodes();
  facts.begin = region.area.begin;
  facts.end = region.area.end;
  facts.nodes = nodes.numbers;
  facts.may_be_judged = watcher.is_loss_even();
  facts.home = [&region, at_end](const watch::Use& use) {
    return at_end ? use.home : region.home(use.address);
  };
  for (const watch::Fault& fault : watched.table.faults_of(region)) {
    if (fault.kind == watch::FaultKind::kHint) {
      facts.uses.push_back(
          {fault.address, fault.node, static_cast<double>(fault.weight), fault.time, fault.home});
    }
  }
  weigh_evenly(facts);
  const auto nodes_of_all = [&](const std::vector<int>& processors) {
    std::vector<int> found;
    std::ranges::transform(processors, std::back_inserter(found),
                           [&](int processor) { return nodes.of(processor); });
    return found;
  };
  if (!watcher.options().team.empty()) {
    std::ranges::transform(watcher.options().team, std::back_inserter(facts.team), nodes_of_all);
    return facts;
  }
  const std::vector<int> of_processors = nodes_of_all(watched.mask);
  const std::size_t members = watched.threads_wanted > 0
                                  ? static_cast<std::size_t>(watched.threads_wanted)
                                  : of_processors.size();
  if (!of_processors.empty()) {
    facts.team = nestbind::memory::spread::equal_members(of_processors, members);
  }
  return facts;
}

}  // namespace nestbind::cli::memory
