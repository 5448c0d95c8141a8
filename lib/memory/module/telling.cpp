// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/telling.hpp"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "memory/advice.hpp"
#include "memory/apply/told.hpp"
#include "memory/kernel/self.hpp"
#include "memory/sentences.hpp"
#include "memory/watch/tier.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::memory {

using support::TextBuffer;

namespace {

struct Story {
  const Known* region = nullptr;
  RegionFacts facts;
  Advice advice;
  std::uint64_t there = 0;          // bytes, at most
  std::uint64_t touched_bytes = 0;  // that lay somewhere when they were first seen
  std::uint64_t code = 0;           // of most first touches; 0: not known
  interpose::CodePlace place;
  std::vector<std::uint64_t> now_on;  // by column
};

// A number for each thread that was seen, 0 for the initial one.
int number_of(const Gathering& gathering, std::uint32_t thread) {
  const auto at = std::ranges::lower_bound(gathering.threads(), thread);
  const auto number = static_cast<int>(at - gathering.threads().begin());
  const bool is_initial = thread == static_cast<std::uint32_t>(getpid());
  const bool has_initial =
      std::ranges::binary_search(gathering.threads(), static_cast<std::uint32_t>(getpid()));
  return is_initial ? 0 : number + (has_initial ? 0 : 1);
}

void take_first_touches(Gathering& gathering, const support::MappedVector<TouchedUnit>& units,
                        Story& story) {
  std::map<std::uint32_t, std::uint64_t> threads;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint32_t>> functions;
  std::uint64_t all = 0;
  for (const TouchedUnit& unit : units) {
    if (unit.first_pages > 0) {
      ++threads[unit.first_thread];
      auto& [count, code] = functions[gathering.function_of(unit.first_code)];
      code = unit.first_code;
      ++count;
      ++all;
    }
  }
  if (all == 0) {
    return;
  }
  const auto most =
      std::ranges::max_element(threads, {}, [](const auto& entry) { return entry.second; });
  story.facts.first_touch.thread = number_of(gathering, most->first);
  story.facts.first_touch.part = 100 * static_cast<double>(most->second) / static_cast<double>(all);
  const auto where =
      std::ranges::max_element(functions, {}, [](const auto& entry) { return entry.second.first; });
  story.code = gathering.touches().codes()[where->second.second];
}

// A hint fault weighs a page, or a huge page, and not how often it was used: each unit has as many
// samples as it has pages, divided as its faults were.
void add_seen(const Unit& place, int home, const std::vector<std::uint64_t>& uses,
              std::uint64_t pages, Seen& seen) {
  const std::uint64_t all = std::accumulate(uses.begin(), uses.end(), std::uint64_t{0});
  std::vector<std::uint32_t> samples;
  samples.reserve(uses.size());
  for (const std::uint64_t use : uses) {
    samples.push_back(static_cast<std::uint32_t>((use * Samples::kEnough * pages + all / 2) / all));
  }
  seen.add(place, home, samples, 0);
}

std::vector<std::uint64_t> uses_of(const TouchedUnit& unit, int columns) {
  return {unit.use, unit.use + columns};
}

// Of one block: by units, where most of them have enough samples, or as a whole: a huge page has
// its faults anywhere.
void add_block(std::span<const TouchedUnit> units, int columns, Seen& seen) {
  const auto count = [](const std::vector<std::uint64_t>& uses) {
    return std::accumulate(uses.begin(), uses.end(), std::uint64_t{0});
  };
  std::vector<std::uint64_t> uses(static_cast<std::size_t>(columns));
  std::uint64_t pages = 0;
  std::size_t enough = 0;
  int home = -1;
  int sampled_home = -1;  // which counts more
  for (const TouchedUnit& unit : units) {
    const auto own = uses_of(unit, columns);
    std::transform(own.begin(), own.end(), uses.begin(), uses.begin(), std::plus<>());
    pages += static_cast<std::uint64_t>(std::popcount(unit.present));
    enough += count(own) >= Samples::kEnough ? 1U : 0U;
    home = home < 0 ? unit.home : home;
    sampled_home = sampled_home < 0 && unit.is_own ? unit.home : sampled_home;
  }
  home = sampled_home < 0 ? home : sampled_home;
  if (2 * enough < units.size() && count(uses) >= Samples::kEnough && may_be_one_page(units)) {
    const std::uint64_t begin = units.front().number * kUnitBytes;
    const std::uint64_t end = (units.back().number + 1) * kUnitBytes;
    add_seen({begin, end - begin, true}, home, uses, pages, seen);
    return;
  }
  for (const TouchedUnit& unit : units) {
    const auto own = uses_of(unit, columns);
    if (count(own) >= Samples::kEnough) {
      add_seen({unit.number * kUnitBytes, kUnitBytes, false}, unit.home, own,
               static_cast<std::uint64_t>(std::popcount(unit.present)), seen);
    }
  }
}

void add_use(const support::MappedVector<TouchedUnit>& units, int columns, Story& story) {
  constexpr std::uint64_t kUnits = kBlockBytes / kUnitBytes;
  for (std::size_t first = 0; first < units.size();) {
    std::size_t end = first;
    for (; end < units.size() && units[end].number / kUnits == units[first].number / kUnits;
         ++end) {
      const auto uses = uses_of(units[end], columns);
      story.facts.samples += std::accumulate(uses.begin(), uses.end(), std::uint64_t{0});
    }
    add_block({&units[first], end - first}, columns, story.facts.seen);
    first = end;
  }
}

Story story_of(Gathering& gathering, const Known& region) {
  Story story;
  story.region = &region;
  story.facts.range = region.range;
  const int columns = gathering.columns();
  auto units = units_inside(gathering.units_of(region), region.range.begin, region.range.end);
  settle_by_most(units);
  story.facts.seen = Seen(columns);
  std::vector<std::uint64_t> first_on(static_cast<std::size_t>(columns));
  for (const TouchedUnit& unit : units) {
    const auto pages = static_cast<std::uint64_t>(std::popcount(unit.present));
    if (unit.home >= 0) {
      first_on[static_cast<std::size_t>(unit.home)] += pages * kPageBytes;
      story.touched_bytes += pages * kPageBytes;
    }
  }
  add_use(units, columns, story);
  story.there = std::max(region.there, story.touched_bytes);
  story.now_on.assign(region.bytes_on, region.bytes_on + columns);
  // Where they were first is what the program did; the kernel's balancing may have moved them
  // since.
  const bool is_seen = 2 * story.touched_bytes >= region.there;
  story.facts.bytes_on = is_seen && story.touched_bytes > 0 ? first_on : story.now_on;
  take_first_touches(gathering, units, story);
  story.advice = advice_on(story.facts, PageSizes{});
  return story;
}

std::vector<Story> stories_of(Gathering& gathering, Gathering::FindCode find_code) {
  std::vector<Story> stories;
  gathering.visit([&](const Known& region) {
    // Of a region that is just as large a sampled page may be missing.
    if (16 * region.there >= 15 * gathering.least()) {
      stories.push_back(story_of(gathering, region));
    }
  });
  for (Story& story : stories) {
    if (story.code != 0) {
      find_code(story.code, story.place);
    }
  }
  std::ranges::sort(stories, [](const Story& a, const Story& b) {
    const auto worst_first = [](const Story& story) {
      return std::tuple(-story.advice.damage, ~story.there, story.region->range.begin);
    };
    return worst_first(a) < worst_first(b);
  });
  return stories;
}

Circumstances circumstances_of(const Gathering& gathering) {
  return {.nodes = gathering.columns(),
          .is_balanced = gathering.is_balanced(),
          .refusal = gathering.refusal(),
          .paranoid = kernel::read_number("/proc/sys/kernel/perf_event_paranoid", 2)};
}

const char* program() { return program_invocation_name; }

void add_json_text(TextBuffer& text, std::string_view value) {
  text.add("\"");
  for (const char letter : value) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      text.add("\\%c", letter);
    } else if (byte < 0x20) {
      text.add("\\u%04x", byte);
    } else {
      text.add("%c", letter);
    }
  }
  text.add("\"");
}

template <typename Numbers>
void add_json_numbers(TextBuffer& text, const char* key, const Numbers& numbers) {
  text.add(", \"%s\": [", key);
  const char* between = "";
  for (const auto number : numbers) {
    text.add("%s%.15g", between, static_cast<double>(number));
    between = ", ";
  }
  text.add("]");
}

const char* word(Remedy remedy) {
  constexpr const char* kWords[] = {"unseen", "none",       "block",    "local",
                                    "own",    "interleave", "replicate"};
  return kWords[static_cast<int>(remedy)];
}

void add_json_place(TextBuffer& text, const Story& story) {
  text.add(", \"first_touch\": {\"thread\": %d, \"part\": %.1f", story.facts.first_touch.thread,
           story.facts.first_touch.part);
  if (story.code != 0) {
    text.add(", \"module\": ");
    add_json_text(text, story.place.module);
    text.add(", \"in_module\": %llu, \"function\": ",
             static_cast<unsigned long long>(story.place.in_module));
    add_json_text(text, story.place.function);
    text.add(", \"in_function\": %llu, \"build_id\": ",
             static_cast<unsigned long long>(story.place.in_function));
    add_json_text(text, story.place.build_id);
  }
  text.add("}");
}

Told told_of(const Gathering& gathering) {
  Told told;
  told.source = "NUMA hint faults";
  for (int column = 0; column < gathering.columns(); ++column) {
    told.nodes.push_back(gathering.node_of_column(column));
  }
  return told;
}

// Where nobody's use was seen there is nothing to say of it.
std::string sentences_of(const Story& story, const Told& told, const Names& names) {
  const std::string all = sentences(story.facts, story.advice, told, names);
  return story.facts.samples > 0
             ? all
             : all.substr(0, all.find('\n') + 1) + "  who uses it was not seen\n";
}

void add_json_region(TextBuffer& text, const Story& story, const Told& told) {
  const Known& region = *story.region;
  text.add("{\"begin\": %llu, \"end\": %llu, \"bytes\": %llu, \"name\": ",
           static_cast<unsigned long long>(region.range.begin),
           static_cast<unsigned long long>(region.range.end),
           static_cast<unsigned long long>(story.there));
  add_json_text(text, region.name);
  text.add(", \"gone\": %s, \"remedy\": \"%s\", \"damage\": %.15g, \"samples\": %llu",
           region.is_gone ? "true" : "false", word(story.advice.remedy), story.advice.damage,
           static_cast<unsigned long long>(story.facts.samples));
  text.add(", \"local\": %.1f, \"imbalance\": %.1f, \"local_then\": %.1f, \"imbalance_then\": %.1f",
           story.advice.now.local, story.advice.now.imbalance, story.advice.after.local,
           story.advice.after.imbalance);
  add_json_numbers(text, "bytes_on", story.facts.bytes_on);
  add_json_numbers(text, "bytes_on_at_end", story.now_on);
  add_json_numbers(text, "users", story.advice.users);
  add_json_place(text, story);
  text.add(", \"text\": ");
  add_json_text(text, sentences_of(story, told, Names{}));
  text.add("}");
}

std::string json_of(const Gathering& gathering, const std::vector<Story>& stories,
                    const Watched& watched) {
  const Circumstances here = circumstances_of(gathering);
  const Told told = told_of(gathering);
  TextBuffer text;
  text.add("{\"memory\": {\"process\": %d, \"program\": ", static_cast<int>(getpid()));
  add_json_text(text, program());
  text.add(", \"seconds\": %.3f, \"sampler_seconds\": %.4f, \"tier\": \"%s\", \"circumstances\": ",
           watched.seconds, watched.sampler_seconds, name(tier_of(here)));
  add_json_text(text, line_of(here));
  text.add(", \"first_touches\": %llu, \"hints\": %llu, \"lost\": %llu, \"least\": %llu",
           static_cast<unsigned long long>(gathering.touches().first_touches()),
           static_cast<unsigned long long>(gathering.touches().hints()),
           static_cast<unsigned long long>(gathering.lost()),
           static_cast<unsigned long long>(gathering.least()));
  add_json_numbers(text, "nodes", told.nodes);
  text.add(", \"regions\": [");
  const char* between = "";
  for (const Story& story : stories) {
    text.add("%s", between);
    add_json_region(text, story, told);
    between = ", ";
  }
  text.add("]}}\n");
  return text.text();
}

// Without source lines, which are the command's: the function by its name, and a line as nestbind
// lines reads it.
std::string text_of(const Gathering& gathering, const std::vector<Story>& stories) {
  const Told told = told_of(gathering);
  TextBuffer text;
  text.add("nestbind memory: %s, process %d: %s\n", program(), static_cast<int>(getpid()),
           line_of(circumstances_of(gathering)).c_str());
  for (const Story& story : stories) {
    const interpose::CodePlace& place = story.place;
    Names names;
    names.place = place.function[0] != '\0' ? place.function : "code of unknown name";
    names.line = names.place;
    names.array = story.region->name[0] != '\0' ? story.region->name : "p";
    text.add("%s", sentences_of(story, told, names).c_str());
    if (story.region->name[0] != '\0') {
      text.add("  static array %s\n", story.region->name);
    }
    if (story.region->is_gone) {
      text.add("  given back before the program ended\n");
    }
    if (story.code != 0 && place.module[0] != '\0') {
      text.add("first touch:");
      if (place.function[0] != '\0') {
        text.add("  %s+0x%zx, ", place.function, static_cast<std::size_t>(place.in_function));
      } else {
        text.add("  ");
      }
      text.add("%s+0x%zx\n", place.module, static_cast<std::size_t>(place.in_module));
    }
  }
  return text.text();
}

}  // namespace

std::string told(Gathering& gathering, Gathering::FindCode find_code, const Watched& watched,
                 bool is_json) {
  const std::vector<Story> stories = stories_of(gathering, find_code);
  if (stories.empty()) {
    return "";
  }
  return is_json ? json_of(gathering, stories, watched) : text_of(gathering, stories);
}

namespace {

// What can be known here, for moving: first touches are no use then.
std::string line_of_moving(const Gathering& gathering) {
  if (gathering.columns() == 1) {
    return "this machine has one node";
  }
  return gathering.columns() >= kMostColumns ? "there are more nodes than are managed"
                                             : line_of(circumstances_of(gathering));
}

// What stands in front of what was done, and alone where nothing can be done here.
std::string applied_json(const Gathering& gathering, const Watched& watched,
                         const std::string& done) {
  const Circumstances here = circumstances_of(gathering);
  TextBuffer text;
  text.add("{\"apply\": {\"process\": %d, \"program\": ", static_cast<int>(getpid()));
  add_json_text(text, program());
  text.add(", \"seconds\": %.3f, \"sampler_seconds\": %.4f, \"tier\": \"%s\", \"circumstances\": ",
           watched.seconds, watched.sampler_seconds, name(tier_of(here)));
  add_json_text(text, line_of_moving(gathering));
  text.add(", \"least\": %llu", static_cast<unsigned long long>(gathering.least()));
  add_json_numbers(text, "nodes", told_of(gathering).nodes);
  text.add(", \"done\": %s}}\n", done.empty() ? "null" : done.c_str());
  return text.text();
}

bool has_region(const Gathering& gathering) {
  bool has_any = false;
  gathering.visit([&](const Known& region) {
    has_any = has_any || 16 * region.there >= 15 * gathering.least();
  });
  return has_any;
}

}  // namespace

std::string applied(const Gathering& gathering, const Applying& applying, const Watched& watched,
                    bool is_json) {
  if (!has_region(gathering)) {
    return "";
  }
  const apply::Record none;
  const apply::Record& record = applying.record() == nullptr ? none : *applying.record();
  const apply::Setting setting{told_of(gathering).nodes, watched.always, applying.has_no_memory(),
                               applying.lost()};
  if (is_json) {
    return applied_json(gathering, watched, applying.is_working() ? in_json(record, setting) : "");
  }
  TextBuffer text;
  text.add("nestbind memory: %s, process %d: %s%s\n", program(), static_cast<int>(getpid()),
           applying.is_working() ? "" : "nothing is moved: ", line_of_moving(gathering).c_str());
  if (applying.is_working()) {
    text.add("%s", in_words(record, setting).c_str());
  }
  return text.text();
}

}  // namespace nestbind::memory
