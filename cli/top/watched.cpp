// SPDX-License-Identifier: BSD-3-Clause
#include "cli/top/watched.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/top/process_files.hpp"

namespace nestbind::cli::top {

namespace {

constexpr double kFindEvery = 3;   // seconds: listing all processes takes long
constexpr double kShowEnded = 10;  // seconds for which a process that has ended is shown
constexpr double kBusy = 0.5;      // in processors

// Marks records that differ between two reads, because they changed while threads were read.
void note_moves(const Published& before, Published& behind) {
  for (Placed& placed : behind.places) {
    const bool is_known = std::ranges::any_of(before.places, [&](const Placed& other) {
      return other.thread == placed.thread && other.since == placed.since &&
             other.cpus == placed.cpus;
    });
    placed.is_moving = !is_known;
  }
}

}  // namespace

Watched::Watched(std::vector<int> named, const std::string& folder, long ticks_per_second)
    : named_(std::move(named)), files_(folder), ticks_per_second_(ticks_per_second) {
  for (const int process : named_) {
    watched_[process];
  }
}

int Watched::first_missing() const {
  const auto missing =
      std::ranges::find_if(named_, [](int process) { return !read_process(process); });
  return missing == named_.end() ? 0 : *missing;
}

void Watched::find(double now) {
  const double passed = now - found_at_;
  found_at_ = now;
  ++finds_;
  files_.look();
  if (!named_.empty()) {
    return;
  }
  std::set<int> wanted;
  for (const int process : files_.processes()) {
    wanted.insert(process);
  }
  std::map<int, Known> seen;
  for (const int process : processes_of_user()) {
    const auto stat = process == getpid() ? std::nullopt : read_process(process);
    if (!stat || stat->threads < 2) {
      continue;
    }
    const auto before = busy_.find(process);
    const bool is_same = before != busy_.end() && before->second.start == stat->start;
    const auto ticks = static_cast<double>(is_same ? stat->ticks - before->second.ticks : 0);
    if (finds_ > 1 && ticks >= kBusy * passed * static_cast<double>(ticks_per_second_)) {
      wanted.insert(process);
    }
    seen[process] = {.start = stat->start, .ticks = stat->ticks, .command = "", .ended = 0};
  }
  busy_ = std::move(seen);
  std::erase_if(watched_, [&](const auto& entry) {
    return !wanted.contains(entry.first) && entry.second.ended == 0 && read_process(entry.first);
  });
  for (const int process : wanted) {
    watched_[process];
  }
}

ProcessSample Watched::look_at(int process, Known& known, double now) {
  ProcessSample sample;
  sample.process = process;
  const auto stat = read_process(process);
  if (!stat || (known.start != 0 && known.start != stat->start)) {
    known.ended = known.ended == 0 ? now : known.ended;
    sample.start = known.start;
    sample.command = known.command;
    sample.has_ended = true;
    return sample;
  }
  if (known.start == 0) {
    known.start = stat->start;
    known.command = read_command(process);
  }
  sample.start = stat->start;
  sample.command = known.command;
  const auto before = files_.read(process, *stat);
  sample.threads = read_threads(process);
  if (before) {
    sample.published = files_.read(process, *stat);
  }
  if (before && sample.published) {
    note_moves(*before, *sample.published);
  }
  return sample;
}

Sample Watched::look() {
  const double now = seconds_now();
  // Only the second search can find busy processes.
  if (finds_ < 2 || now - found_at_ >= kFindEvery) {
    find(now);
  }
  Sample sample;
  sample.seconds = now;
  for (auto& [process, known] : watched_) {
    sample.processes.push_back(look_at(process, known, now));
  }
  if (named_.empty()) {
    std::erase_if(watched_, [&](const auto& entry) {
      return entry.second.ended != 0 && now - entry.second.ended >= kShowEnded;
    });
  }
  return sample;
}

}  // namespace nestbind::cli::top
