// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "cli/inspect/text.hpp"
#include "cli/memory/memory_parts.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"

namespace nestbind::cli::memory {

namespace {

namespace kernel = nestbind::memory::kernel;
using watch::Remedy;

// Returns false for libraries of C and C++, for OpenMP and Fortran runtimes, and for nestbind.
bool is_users_file(const std::string& module) {
  return !inspect::starts_with_any(
      inspect::file_name(module),
      {"libc.so", "libc-", "libc.musl", "ld-linux", "ld-musl", "libpthread", "libm.so", "libstdc++",
       "libc++", "libgomp", "libomp", "libiomp", "libgfortran", "libflang", "libnestbind",
       "libgcc_s"});
}

bool is_users_source(const std::string& file) {
  return !inspect::starts_with_any(file,
                                   {"/usr/include/", "/usr/lib/", "/usr/local/include/c++"}) &&
         file.find("/include/c++/") == std::string::npos &&
         file.find("/lib/gcc/") == std::string::npos && file.find("/libgcc/") == std::string::npos;
}

class Origins {
 public:
  explicit Origins(const Watched& watched)
      : watched_(watched), chains_(mapped_by(watched)), known_(watched.table.stacks().size()) {}

  const Origin& of(std::uint32_t stack) {
    if (!known_[stack]) {
      known_[stack] = find(watched_.table.stacks()[stack]);
    }
    return *known_[stack];
  }

 private:
  static std::vector<source::Mapped> mapped_by(const Watched& watched) {
    std::vector<source::Mapped> files;
    files.reserve(watched.modules.size());
    for (const Module& module : watched.modules) {
      files.push_back({module.file, module.base});
    }
    return files;
  }

  std::string name_of(const std::string& file) const {
    const auto found = std::ranges::find(watched_.modules, file, &Module::file);
    return found == watched_.modules.end() ? file : found->name;
  }

  Origin find(const watch::Record& record) {
    Origin origin;
    const source::Moment moment{record.registers, record.code,
                                record.registers[watch::kStackPointer], record.stack};
    for (source::Place& place : chains_.find(moment)) {
      if (!is_users_file(name_of(place.module))) {
        continue;
      }
      auto& frames = lines_[{place.module, place.address}];
      if (!frames) {
        frames = lines_of_files_.find(place).frames;
      }
      const auto own = std::ranges::find_if(
          *frames, [](const source::Frame& frame) { return is_users_source(frame.file); });
      if (own == frames->end() && !frames->empty()) {
        continue;
      }
      origin.frames.assign(own, frames->end());
      origin.place = std::move(place);
      origin.place.module = name_of(origin.place.module);
      break;
    }
    return origin;
  }

  const Watched& watched_;
  source::CallChains chains_;
  source::Lines lines_of_files_;
  std::map<std::pair<std::string, std::uint64_t>, std::optional<std::vector<source::Frame>>> lines_;
  std::vector<std::optional<Origin>> known_;
};

void tell_first_touch(const Watched& watched, Origins& origins, Story& story) {
  struct Line {
    std::uint64_t weight = 0;
    std::uint32_t stack = 0;
    std::map<std::uint32_t, std::uint64_t> threads;
  };
  std::map<std::string, Line> lines;
  std::uint64_t all = 0;
  for (const watch::Fault& fault : watched.table.faults_of(*story.region)) {
    if (fault.kind != watch::FaultKind::kFirstTouch) {
      continue;
    }
    story.first_touches += fault.weight;
    if (fault.stack != watch::kNoStack) {
      Line& line = lines[origins.of(fault.stack).key()];
      line.stack = fault.stack;
      line.threads[fault.thread] += fault.weight;
      line.weight += fault.weight;
      all += fault.weight;
    }
  }
  if (all == 0) {
    return;
  }
  const auto weight = [](const auto& one) { return one.second.weight; };
  const Line& most = std::ranges::max_element(lines, {}, weight)->second;
  story.origin = origins.of(most.stack);
  story.part = 100 * static_cast<double>(most.weight) / static_cast<double>(all);
  const auto thread =
      std::ranges::max_element(most.threads, {}, [](const auto& one) { return one.second; });
  const auto number = std::ranges::find(watched.threads, thread->first);
  const bool is_one = 100 * thread->second >= 90 * most.weight;
  story.thread = is_one && number != watched.threads.end()
                     ? static_cast<int>(number - watched.threads.begin())
                     : -1;
}

}  // namespace

std::vector<double> percent_of(const std::vector<std::uint64_t>& counts) {
  const double all =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::vector<double> parts;
  for (const int node : kernel::nodes().numbers) {
    const auto at = static_cast<std::size_t>(node);
    parts.push_back(all == 0 || at >= counts.size() ? 0
                                                    : 100 * static_cast<double>(counts[at]) / all);
  }
  return parts;
}

std::vector<Story> stories_of(const Watched& watched, const Watcher& watcher) {
  std::list<Story> stories;
  Origins origins(watched);
  const auto nodes = static_cast<std::size_t>(kernel::nodes().numbers.back()) + 1;
  for (const watch::Region& region : watched.table.regions()) {
    Story story;
    story.region = &region;
    const auto there =
        std::ranges::count_if(region.pages, [](const watch::Page& page) { return page.was_there; });
    story.bytes = static_cast<std::uint64_t>(there) * kernel::page_bytes();
    if (16 * story.bytes < 15 * watcher.options().least) {
      continue;
    }
    story.on = percent_of(region.pages_on(false, nodes));
    const watch::Facts facts = facts_of(watched, region, watcher, false);
    story.verdict = judge(facts);
    story.is_lossy = !facts.may_be_judged;
    tell_first_touch(watched, origins, story);
    stories.push_back(std::move(story));
  }
  const auto loss = [](const Story& story) {
    const watch::Verdict& verdict = story.verdict;
    const bool is_bad = verdict.remedy != Remedy::kNone && verdict.remedy != Remedy::kUnseen;
    return is_bad ? static_cast<double>(story.bytes) *
                        (1 + verdict.then.local - verdict.now.local + verdict.now.imbalance)
                  : 0;
  };
  stories.sort([&](const Story& one, const Story& other) {
    return std::pair(loss(one), one.bytes) > std::pair(loss(other), other.bytes);
  });
  return {std::make_move_iterator(stories.begin()), std::make_move_iterator(stories.end())};
}

}  // namespace nestbind::cli::memory
