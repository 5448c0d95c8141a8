// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/printf.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "cli/common/usual_options.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/inspect/running.hpp"
#include "cli/top/process_files.hpp"
#include "cli/top/published.hpp"
#include "mask/cpu_list.hpp"
#include "options/settings.hpp"
#include "ranks/launcher.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli {

namespace {

top::PublishedFiles published_files() {
  top::PublishedFiles files(top::folder_of_files());
  files.look();
  return files;
}

std::optional<top::Published> published(const top::PublishedFiles& files, int process) {
  const auto stat = top::read_process(process);
  return stat ? files.read(process, *stat) : std::nullopt;
}

std::vector<top::Placed> pinned(const top::PublishedFiles& files, int process) {
  const auto told = published(files, process);
  std::vector<top::Placed> threads;
  if (told) {
    std::ranges::copy_if(told->places, std::back_inserter(threads), [](const top::Placed& placed) {
      return placed.is_bound && placed.is_pinned;
    });
  }
  return threads;
}

bool is_rank(int process) {
  const auto variables = inspect::look_at(process).variables;
  return variables && ranks::launcher_in([&](const char* name) -> const char* {
                        for (const auto& [known, value] : *variables) {
                          if (known == name && !value.empty()) {
                            return value.c_str();
                          }
                        }
                        return nullptr;
                      }) != nullptr;
}

std::string threads_on(const std::vector<int>& cpus, const std::vector<top::Placed>& threads) {
  std::set<int> common;
  int count = 0;
  for (const top::Placed& thread : threads) {
    std::vector<int> shared;
    std::ranges::set_intersection(cpus, thread.cpus, std::back_inserter(shared));
    common.insert(shared.begin(), shared.end());
    count += shared.empty() ? 0 : 1;
  }
  return count == 0 ? ""
                    : fmt::format("{} thread{} on {}", count, count == 1 ? "" : "s",
                                  mask::list({common.begin(), common.end()}));
}

}  // namespace

void examine_others(const std::vector<int>& cpus, int process, Findings& findings) {
  constexpr int kMost = 8;
  const top::PublishedFiles files = published_files();
  int found = 0;
  for (const int other : files.processes()) {
    const std::string what = other == process ? "" : threads_on(cpus, pinned(files, other));
    if (what.empty() || is_rank(other)) {
      continue;
    }
    if (++found <= kMost) {
      findings.fact("others", fmt::format("process {} ({}) also has {} bound there", other,
                                          top::read_command(other), what));
    }
  }
  if (found > kMost) {
    findings.fact("others", fmt::format("and {} more", found - kMost));
  }
}

void examine_roots(int process, Findings& findings) {
  std::map<int, std::vector<top::Placed>> threads;
  for (const top::Placed& thread : pinned(published_files(), process)) {
    threads[thread.root].push_back(thread);
  }
  threads.erase(-1);
  for (const auto& [root, own] : threads) {
    std::string text;
    for (const top::Placed& thread : own) {
      text += fmt::format("{}thread {} on {}", text.empty() ? "" : ", ",
                          fmt::join(thread.path, "."), mask::list(thread.cpus));
    }
    findings.fact(fmt::format("root {}", root), text);
  }
}

void examine_process_part(int process, Findings& findings) {
  const auto told = published(published_files(), process);
  if (told && told->tree_size > 0) {
    findings.fact("tree",
                  fmt::format("process {} of {} live processes of its tree, which divide the "
                              "processors",
                              told->tree_number, told->tree_size));
  }
  if (told && !told->mask_set_by.empty()) {
    findings.fact("mask", fmt::format("{} has narrowed the process's mask, {} ms after the start",
                                      told->mask_set_by, told->mask_set_after));
  }
}

void examine_nesting(int process, Findings& findings) {
  const auto told = published(published_files(), process);
  const publish::Word word = told ? told->refused : 0;
  if (word == 0) {
    return;
  }
  const int allowed = publish::allowed_of(word);
  findings.fact("nesting", fmt::format("a region at level {} asked for {} threads, but has one: ",
                                       publish::refused_level_of(word), publish::asked_of(word)) +
                               fmt::sprintf(support::kNestingIsOff, allowed,
                                            allowed == 1 ? "" : "s", allowed + 1, allowed + 1));
}

std::vector<int> placed_processors(int process) {
  std::set<int> cpus;
  for (const top::Placed& thread : pinned(published_files(), process)) {
    cpus.insert(thread.cpus.begin(), thread.cpus.end());
  }
  return {cpus.begin(), cpus.end()};
}

}  // namespace nestbind::cli
