// SPDX-License-Identifier: BSD-3-Clause
// Reports each region: its first touch (thread, line), nodes, users, and what would help.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/inspect/text.hpp"
#include "cli/lines/code_places.hpp"
#include "cli/memory/memory_parts.hpp"
#include "cli/source/source_lines.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"

namespace nestbind::cli::memory {

namespace {

namespace kernel = nestbind::memory::kernel;
using Json = nlohmann::ordered_json;
using watch::Remedy;

std::string as_in_source(const std::string& symbol) {
  const std::string name = source::demangled(symbol);
  constexpr std::string_view kBefore = "_MOD_";
  const std::size_t at = name.find(kBefore);
  return name.starts_with("__") && at != std::string::npos
             ? name.substr(2, at - 2) + "::" + name.substr(at + kBefore.size())
             : name;
}

std::string nodes_in_words(const std::vector<double>& parts) {
  const std::vector<int>& numbers = kernel::nodes().numbers;
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::lround(parts[i]) > 0) {
      some.push_back(i);
    }
  }
  if (some.empty()) {
    return "no thread was seen";
  }
  constexpr double kAlike = 5;
  double least = 100;
  double most = 0;
  for (const std::size_t i : some) {
    least = std::min(least, parts[i]);
    most = std::max(most, parts[i]);
  }
  const bool is_row = some.back() - some.front() + 1 == some.size();
  if (some.size() > 2 && is_row && most - least <= kAlike) {
    return fmt::format("nodes {}..{}, {:.0f} % each", numbers[some.front()], numbers[some.back()],
                       100.0 / static_cast<double>(some.size()));
  }
  std::string text;
  for (const std::size_t i : some) {
    text += fmt::format("{}node {}: {:.0f} %", text.empty() ? "" : ", ", numbers[i], parts[i]);
  }
  return text;
}

struct Names {
  std::string place;
  std::string line;
  std::string array;
};

Names names_of(const Story& story) {
  Names names;
  const std::string& name = story.region->area.name;
  names.array = name.empty() ? "p" : as_in_source(name);
  const Origin& origin = story.origin;
  if (!origin.frames.empty()) {
    const source::Frame& frame = origin.frames[0];
    names.line = fmt::format("{}:{}", inspect::file_name(frame.file), frame.line);
    names.place = frame.function.empty()
                      ? names.line
                      : fmt::format("{} ({})", as_in_source(frame.function), names.line);
  } else if (!origin.place.module.empty()) {
    const std::string code =
        fmt::format("{}+0x{:x}", inspect::file_name(origin.place.module), origin.place.address - 1);
    names.line = origin.place.function.empty() ? code : as_in_source(origin.place.function);
    names.place = origin.place.function.empty() ? code : fmt::format("{} ({})", names.line, code);
  } else {
    const bool has_libdw = source::Lines().missing().empty();
    names.line = names.place = has_libdw ? "code that is not the user's" : "code that is not known";
  }
  return names;
}

std::string figures(const watch::Figures& of) {
  return fmt::format("local {:.0f} %, imbalance {:.0f} %", of.local, of.imbalance);
}

std::string remedy_in_words(const watch::Verdict& verdict, const Names& names) {
  const std::string call = fmt::format("nestbind_memory_spread({}, n, NESTBIND_", names.array);
  const std::string in_parallel = fmt::format("initialise in parallel ({})", names.line);
  const std::string then = figures(verdict.then) + ".  In the source: ";
  switch (verdict.remedy) {
    case Remedy::kBlock:
      return "BLOCK distribution: " + then + in_parallel + ", or " + call + "BLOCK)";
    case Remedy::kLocal:
      return fmt::format("all on node {}, which uses it: ", verdict.node) + then +
             fmt::format("initialise it in a thread that uses it ({}), or call there ",
                         names.line) +
             call + "LOCAL)";
    case Remedy::kOwn:
      return "each page on the node that uses it: " + then + in_parallel +
             ", each part by the thread that uses it";
    case Remedy::kInterleave:
      return "INTERLEAVE distribution: " + then + call + "INTERLEAVE)";
    default:
      return "nothing to fix";
  }
}

const char* word_of(Remedy remedy) {
  constexpr const char* kWords[] = {"unseen", "none", "block", "local", "interleave", "own"};
  return kWords[static_cast<int>(remedy)];
}

std::string use_in_words(const Story& story) {
  const watch::Verdict& verdict = story.verdict;
  constexpr double kMostly = 0.8;
  constexpr double kHardly = 0.2;
  std::string text = fmt::format("  used by: {}", nodes_in_words(verdict.users));
  text += verdict.sharing.shared <= kHardly   ? "; each part by one node"
          : verdict.sharing.shared >= kMostly ? "; all parts by all of them"
                                              : "; parts by one node, others by several";
  return text + fmt::format("  sampled: NUMA hint faults, {}\n", verdict.samples);
}

std::string in_words(const Story& story) {
  const watch::Verdict& verdict = story.verdict;
  const Names names = names_of(story);
  const watch::Area& area = story.region->area;
  std::string text =
      area.name.empty() ? "" : fmt::format("static array {}:\n", as_in_source(area.name));
  text += fmt::format("region {:x} {}", area.begin, size_in_words(story.bytes));
  if (story.first_touches > 0) {
    text +=
        fmt::format("  first touched by {} in {} {:.0f} %",
                    story.thread < 0 ? "several threads" : fmt::format("thread {}", story.thread),
                    names.place, story.part);
  } else {
    text += "  its first touches were not seen";
  }
  const bool is_told = std::ranges::any_of(story.on, [](double part) { return part > 0; });
  text +=
      is_told ? fmt::format("  on {}\n", nodes_in_words(story.on)) : "  its nodes are not known\n";
  text += verdict.samples == 0 ? "" : use_in_words(story);
  if (verdict.remedy != Remedy::kUnseen) {
    text += fmt::format("  {}  ->  {}\n", figures(verdict.now), remedy_in_words(verdict, names));
  } else if (story.is_lossy) {
    text += "  no verdict: samples were lost, on some processors more than on others\n";
  } else if (verdict.samples >= watch::kEnough) {
    text += "  no verdict: the first node of many pages is not known\n";
  } else if (kernel::nodes().count() > 1) {
    text += fmt::format("  no verdict: {} samples of its use, and at least {} are needed\n",
                        verdict.samples, watch::kEnough);
  }
  return text + (story.region->died == 0 ? "" : "  freed before the program ended\n");
}

std::string in_words(const Applied& applied) {
  std::string text = fmt::format("region {:x} {}  is shared, and was on {}", applied.begin,
                                 size_in_words(applied.end - applied.begin),
                                 nodes_in_words(percent_of(applied.before)));
  if (applied.is_undone) {
    return text + ": fewer accesses were local after interleaving, so it was undone\n";
  }
  if (!applied.fault.empty()) {
    return text + ": it cannot be interleaved: " + applied.fault + "\n";
  }
  if (!applied.has_policy) {
    return text + ": not interleaved, because the program has forked no more teams\n";
  }
  return text + fmt::format("; interleaved: {} pages moved, now on {}\n", applied.pages,
                            nodes_in_words(percent_of(applied.after)));
}

Json bytes_on(const Story& story, bool at_end) {
  const auto nodes = static_cast<std::size_t>(kernel::nodes().numbers.back()) + 1;
  Json list = Json::array();
  for (const std::uint64_t pages : story.region->pages_on(at_end, nodes)) {
    list.push_back(pages * kernel::page_bytes());
  }
  return list;
}

Json as_json(const Story& story) {
  const watch::Verdict& verdict = story.verdict;
  const Origin& origin = story.origin;
  Json touch = {{"thread", story.thread},
                {"part", std::round(story.part)},
                {"module", origin.place.module},
                {"in_module", origin.place.module.empty() ? 0 : origin.place.address - 1},
                {"function", origin.place.function}};
  if (!origin.frames.empty()) {
    touch["source"] = json_of_frames(origin.frames);
  }
  const auto if_seen = [&](double figure) { return verdict.samples > 0 ? Json(figure) : Json(); };
  Json region = {{"begin", story.region->area.begin},
                 {"end", story.region->area.end},
                 {"bytes", story.bytes},
                 {"name", as_in_source(story.region->area.name)},
                 {"gone", story.region->died != 0},
                 {"remedy", word_of(verdict.remedy)},
                 {"samples", verdict.samples},
                 {"samples_needed", watch::kEnough},
                 {"first_touches", story.first_touches},
                 {"local", if_seen(verdict.now.local)},
                 {"imbalance", if_seen(verdict.now.imbalance)},
                 {"shared", if_seen(verdict.sharing.shared)},
                 {"bytes_on", bytes_on(story, false)},
                 {"bytes_on_at_end", bytes_on(story, true)},
                 {"users", verdict.users}};
  if (verdict.remedy != Remedy::kUnseen && verdict.remedy != Remedy::kNone) {
    region["local_then"] = verdict.then.local;
    region["imbalance_then"] = verdict.then.imbalance;
  }
  region["first_touch"] = touch;
  region["text"] = in_words(story);
  return region;
}

Json as_json(const Applied& applied) {
  return {{"begin", applied.begin},       {"end", applied.end},
          {"pages", applied.pages},       {"pages_before", applied.before},
          {"pages_after", applied.after}, {"has_policy", applied.has_policy},
          {"undone", applied.is_undone},  {"fault", applied.fault}};
}

std::uint64_t count_of(watch::FaultKind kind, const Watched& watched) {
  std::uint64_t count = 0;
  for (const watch::Fault& fault : watched.table.faults()) {
    count += fault.kind == kind ? fault.weight : 0;
  }
  return count;
}

std::string report_of_one(const Watched& watched, const Watcher& watcher,
                          const std::vector<Applied>& applied, bool is_apply, bool is_json) {
  const std::vector<Story> stories = stories_of(watched, watcher);
  if (stories.empty()) {
    return "";
  }
  if (!is_json) {
    std::string text = fmt::format("nestbind memory: {}, process {}: {}\n", watched.name,
                                   watched.table.process(), watcher.circumstances());
    for (const Story& story : stories) {
      text += in_words(story);
    }
    for (const Applied& one : applied) {
      text += in_words(one);
    }
    return text +
           (is_apply && applied.empty() && kernel::nodes().count() > 1
                ? "nothing was interleaved: no region was seen to be both shared and uneven\n"
                : "");
  }
  Json regions = Json::array();
  for (const Story& story : stories) {
    regions.push_back(as_json(story));
  }
  Json told = {{"process", watched.table.process()},
               {"program", watched.name},
               {"tier", watcher.tier()},
               {"circumstances", watcher.circumstances()},
               {"first_touches", count_of(watch::FaultKind::kFirstTouch, watched)},
               {"hints", count_of(watch::FaultKind::kHint, watched)},
               {"unclear", count_of(watch::FaultKind::kUnclear, watched)},
               {"lost", watcher.lost()},
               {"looks", watched.table.looks()},
               {"least", watcher.options().least},
               {"nodes", kernel::nodes().numbers},
               {"regions", regions}};
  if (is_apply) {
    told["applied"] = Json::array();
    for (const Applied& one : applied) {
      told["applied"].push_back(as_json(one));
    }
  }
  const Json whole = {{"memory", told}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string size_in_words(std::uint64_t bytes) {
  constexpr double kMebi = 1 << 20;
  constexpr double kGibi = 1 << 30;
  const auto size = static_cast<double>(bytes);
  return size >= kGibi ? fmt::format("{:.1f} GiB", size / kGibi)
                       : fmt::format("{:.1f} MiB", size / kMebi);
}

std::string report_of(Watcher& watcher, const std::vector<Applied>* applied, bool is_json) {
  std::string text;
  for (const auto& watched : watcher.programs()) {
    std::vector<Applied> own;
    if (applied != nullptr) {
      std::ranges::copy_if(*applied, std::back_inserter(own), [&](const Applied& one) {
        return one.process == watched->table.process();
      });
    }
    const std::string one = report_of_one(*watched, watcher, own, applied != nullptr, is_json);
    text += text.empty() || one.empty() || is_json ? "" : "\n";
    text += one;
  }
  return text;
}

}  // namespace nestbind::cli::memory
