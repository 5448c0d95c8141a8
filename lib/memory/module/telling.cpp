// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/telling.hpp"

#include <errno.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "memory/apply/told.hpp"
#include "memory/kernel/self.hpp"
#include "memory/module/story.hpp"
#include "memory/sentences.hpp"
#include "memory/watch/tier.hpp"
#include "support/shown.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::memory {

using support::Shown;
using support::TextBuffer;

namespace {

Circumstances circumstances_of(const Gathering& gathering) {
  return {.nodes = gathering.node_count(),
          .is_balanced = gathering.is_balanced(),
          .refusal = gathering.refusal(),
          .paranoid = kernel::read_number("/proc/sys/kernel/perf_event_paranoid", 2)};
}

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
  for (int index = 0; index < gathering.node_count(); ++index) {
    told.nodes.push_back(gathering.node_of_index(index));
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
  add_json_text(text, program_invocation_name);
  text.add(", \"seconds\": %.3f, \"sampler_seconds\": %.4f, \"tier\": \"%s\", \"circumstances\": ",
           watched.seconds, watched.sampler_seconds, name(measurement_level(here)));
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
  text.add("nestbind memory: %s, process %d: %s\n", Shown(program_invocation_name).text,
           static_cast<int>(getpid()), line_of(circumstances_of(gathering)).c_str());
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
  if (gathering.node_count() == 1) {
    return "this machine has one node";
  }
  return gathering.node_count() >= kMostCountedNodes ? "there are more nodes than are managed"
                                                     : line_of(circumstances_of(gathering));
}

// What stands in front of what was done, and alone where nothing can be done here.
std::string applied_json(const Gathering& gathering, const Watched& watched,
                         const std::string& done) {
  const Circumstances here = circumstances_of(gathering);
  TextBuffer text;
  text.add("{\"apply\": {\"process\": %d, \"program\": ", static_cast<int>(getpid()));
  add_json_text(text, program_invocation_name);
  text.add(", \"seconds\": %.3f, \"sampler_seconds\": %.4f, \"tier\": \"%s\", \"circumstances\": ",
           watched.seconds, watched.sampler_seconds, name(measurement_level(here)));
  add_json_text(text, line_of_moving(gathering));
  text.add(", \"least\": %llu", static_cast<unsigned long long>(gathering.least()));
  add_json_numbers(text, "nodes", told_of(gathering).nodes);
  text.add(", \"done\": %s}}\n", done.empty() ? "null" : done.c_str());
  return text.text();
}

bool has_region(const Gathering& gathering) {
  bool has_any = false;
  gathering.visit([&](const Known& region) { has_any = has_any || is_large(gathering, region); });
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
  text.add("nestbind memory: %s, process %d: %s%s\n", Shown(program_invocation_name).text,
           static_cast<int>(getpid()),
           applying.is_working() ? "" : "nothing is moved: ", line_of_moving(gathering).c_str());
  if (applying.is_working()) {
    text.add("%s", in_words(record, setting).c_str());
  }
  return text.text();
}

}  // namespace nestbind::memory
