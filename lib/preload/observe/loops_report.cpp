// SPDX-License-Identifier: BSD-3-Clause
#include "observe/loops_report.hpp"

#include <string.h>

#include "observe/output.hpp"
#include "options/settings.hpp"
#include "process/undisturbed.hpp"
#include "support/decimal.hpp"

namespace nestbind::observe {

using support::TextBuffer;

namespace {

enum class LoopForm { kNumber, kFraction, kHundredths, kShare, kMilliseconds };

// The texts are arrays, so that the loader has no pointers to relocate.
struct LoopColumn {
  int width;         // number of characters in text, after a blank
  char heading[12];  // in text
  char key[20];      // in JSON
  LoopForm form;
  std::uint64_t LoopSeen::* value;
};

constexpr LoopColumn kLoopColumns[] = {
    {6, "teams", "teams", LoopForm::kNumber, &LoopSeen::teams},
    {10, "executions", "executions", LoopForm::kNumber, &LoopSeen::executions},
    {12, "iterations", "iterations", LoopForm::kNumber, &LoopSeen::iterations},
    {6, "f", "f", LoopForm::kFraction, &LoopSeen::fraction},
    {7, "chunk", "chunk", LoopForm::kNumber, &LoopSeen::chunk},
    {7, "static", "static", LoopForm::kShare, &LoopSeen::of_block},
    {6, "own", "own", LoopForm::kShare, &LoopSeen::of_own_queue},
    {6, "cache", "stolen_in_cache", LoopForm::kShare, &LoopSeen::stolen_in_cache},
    {6, "node", "stolen_in_node", LoopForm::kShare, &LoopSeen::stolen_in_node},
    {6, "other", "stolen_elsewhere", LoopForm::kShare, &LoopSeen::stolen_elsewhere},
    {10, "imbalance", "imbalance", LoopForm::kHundredths, &LoopSeen::imbalance},
    {8, "measured", "measured", LoopForm::kNumber, &LoopSeen::measured},
    {9, "time, ms", "time_ns", LoopForm::kMilliseconds, &LoopSeen::time},
    {9, "lost, ms", "lost_ns", LoopForm::kMilliseconds, &LoopSeen::lost},
};

// In text, the columns for blocks are a second table.
constexpr LoopColumn kOfBlocks[] = {
    {6, "teams", "", LoopForm::kNumber, &LoopSeen::teams},
    {7, "blocks", "blocks", LoopForm::kNumber, &LoopSeen::blocks},
    {6, "looks", "looks", LoopForm::kNumber, &LoopSeen::looks},
    {10, "migrations", "migrations", LoopForm::kNumber, &LoopSeen::migrations},
    {7, "before", "imbalance_before", LoopForm::kHundredths, &LoopSeen::imbalance_before},
    {6, "after", "imbalance_after", LoopForm::kHundredths, &LoopSeen::imbalance_after},
    {7, "remote", "remote_runs", LoopForm::kShare, &LoopSeen::remote_runs},
    {0, "", "block_runs", LoopForm::kNumber, &LoopSeen::block_runs},
};

using Number = unsigned long long;

// Adds numerator / denominator, rounded to `digits` digits after the point. Uses no printf, because
// the locale could change the decimal point.
void add_decimal(Number numerator, Number denominator, int digits, TextBuffer& text) {
  Number one = 1;
  for (int i = 0; i < digits; ++i) {
    one *= 10;
  }
  const Number whole = numerator / denominator;
  const Number rest = (numerator % denominator * one + denominator / 2) / denominator;
  text.add("%llu.%0*llu", whole + rest / one, digits, rest % one);
}

// Very large numbers lose their low bits, so that nothing overflows.
void add_share(Number part, Number whole, TextBuffer& text) {
  constexpr Number kLargest = ~Number{0} / 1000;
  while (part > kLargest || whole > kLargest) {
    part >>= 1;
    whole >>= 1;
  }
  add_decimal(100 * part, whole == 0 ? 1 : whole, 1, text);
}

void add_fraction(Number value, TextBuffer& text) {
  constexpr Number kWhole = 10000;
  const int digits = value % 100 == 0 ? 2 : value % 10 == 0 ? 3 : 4;
  add_decimal(value, kWhole, digits, text);
}

// True if this column is empty for the loop.
bool is_absent(const LoopColumn& column, const LoopSeen& loop) {
  return (column.form == LoopForm::kHundredths && loop.*column.value == 0) ||
         (column.value == &LoopSeen::remote_runs && loop.block_runs == 0) ||
         (column.value == &LoopSeen::of_own_queue && loop.has_shared_queue) ||
         ((column.value == &LoopSeen::fraction || column.value == &LoopSeen::chunk) &&
          loop.had_owners);
}

void add_present(const LoopColumn& column, const LoopSeen& loop, TextBuffer& word) {
  const Number value = loop.*column.value;
  switch (column.form) {
    case LoopForm::kNumber:
      word.add("%llu", value);
      break;
    case LoopForm::kFraction:
      add_fraction(value, word);
      break;
    case LoopForm::kHundredths:
      add_decimal(value, 100, 2, word);
      break;
    case LoopForm::kShare:
      add_share(value, column.value == &LoopSeen::remote_runs ? loop.block_runs : loop.iterations,
                word);
      break;
    case LoopForm::kMilliseconds:
      add_decimal(value, 1000000, 1, word);
      break;
  }
}

void add_in_text(const LoopColumn& column, const LoopSeen& loop, TextBuffer& text) {
  TextBuffer word;
  is_absent(column, loop) ? word.add("-") : add_present(column, loop, word);
  text.add(" %*s", column.width, word.text());
}

void add_in_json(const LoopColumn& column, const LoopSeen& loop, TextBuffer& text) {
  const Number value = loop.*column.value;
  text.add(", \"%s\": ", column.key);
  if (is_absent(column, loop)) {
    text.add("null");
  } else if (column.form == LoopForm::kFraction || column.form == LoopForm::kHundredths) {
    add_present(column, loop, text);
  } else {
    text.add("%llu", value);
  }
}

// Bytes that could end the line become '?'.
void add_name(const char* name, TextBuffer& text) {
  for (; *name != '\0'; ++name) {
    const bool is_plain = *name >= ' ' && *name < 0x7f && strchr("\"\\", *name) == nullptr;
    text.add("%c", is_plain ? *name : '?');
  }
}

void add_place(const LoopSeen& loop, TextBuffer& text) {
  if (loop.function != nullptr) {
    add_name(loop.function, text);
    text.add("+0x%llx, ", Number{loop.in_function});
  }
  add_name(loop.module == nullptr ? "?" : loop.module, text);
  text.add("+0x%llx", Number{loop.in_module});
}

// Bytes that are not UTF-8 become U+FFFD, because a file may have any name.
void add_json_text(const char* name, TextBuffer& text) {
  for (std::size_t left = strlen(name); left > 0;) {
    std::uint32_t character = 0;
    const std::size_t length = support::character_of(name, left, character);
    if (length == 0) {
      text.add("\\ufffd");
    } else if (character == '"' || character == '\\') {
      text.add("\\%c", *name);
    } else if (character < ' ' || character == 0x7f) {
      text.add("\\u%04x", character);
    } else {
      text.add("%.*s", static_cast<int>(length), name);
    }
    name += length == 0 ? 1 : length;
    left -= length == 0 ? 1 : length;
  }
}

void add_json_name(const char* key, const char* name, TextBuffer& text) {
  text.add("\"%s\": %s", key, name == nullptr ? "null" : "\"");
  if (name != nullptr) {
    add_json_text(name, text);
    text.add("\"");
  }
}

template <std::size_t Count>
void add_headings(const char* title, const LoopColumn (&columns)[Count], TextBuffer& text) {
  text.add("%s  threads", title);
  for (const LoopColumn& column : columns) {
    if (column.width > 0) {
      text.add(" %*s", column.width, column.heading);
    }
  }
  text.add("  loop\n");
}

template <std::size_t Count>
void add_row(const LoopSeen& loop, const LoopColumn (&columns)[Count], TextBuffer& text) {
  text.add("  %7d", loop.threads);
  for (const LoopColumn& column : columns) {
    if (column.width > 0) {
      add_in_text(column, loop, text);
    }
  }
  text.add("  ");
  add_place(loop, text);
  text.add("\n");
}

void add_blocks_text(const LoopsSeen& seen, TextBuffer& text) {
  bool has_heading = false;
  for (std::size_t i = 0; i < seen.count; ++i) {
    const LoopSeen& loop = seen.loops[i];
    if (loop.blocks == 0) {
      continue;
    }
    if (!has_heading) {
      add_headings("nestbind: blocks with owners\n", kOfBlocks, text);
      has_heading = true;
    }
    add_row(loop, kOfBlocks, text);
  }
}

void add_blocks_json(const LoopSeen& loop, TextBuffer& text) {
  for (const LoopColumn& column : kOfBlocks) {
    if (loop.blocks > 0 && column.key[0] != '\0') {
      add_in_json(column, loop, text);
    }
  }
}

void add_none(const LoopsSeen& seen, TextBuffer& text) {
  text.add("nestbind: no loop was taken");
  if (seen.unseen == nullptr) {
    text.add(": only loops with schedule(runtime)%s are taken, and none with ordered",
             seen.takes_dynamic ? ", (dynamic) or (guided)"
                                : ", with loops=dynamic also (dynamic) and (guided),");
  }
  text.add("; see nestbind-loops(7)\n");
}

}  // namespace

void add_loops_text(const LoopsSeen& seen, TextBuffer& text) {
  text.add("nestbind: loops of ");
  add_process(text);
  text.add(", schedule %s\n", seen.schedule);
  if (seen.runtime_was_chosen) {
    text.add(
        "nestbind: the program has called omp_set_schedule: its schedule wins for loops with "
        "schedule(runtime) in the regions of the calling task\n");
  }
  if (seen.unseen != nullptr) {
    text.add("nestbind: the program %s\n", seen.unseen);
  }
  if (seen.count == 0) {
    add_none(seen, text);
    return;
  }
  if (!seen.has_places) {
    text.add(
        "nestbind: without a specification the near threads are not known, so stolen chunks are in "
        "\"other\"\n");
  }
  add_headings("", kLoopColumns, text);
  for (std::size_t i = 0; i < seen.count; ++i) {
    add_row(seen.loops[i], kLoopColumns, text);
  }
  add_blocks_text(seen, text);
  if (seen.some_left_out) {
    text.add("nestbind: there were too many loops, so some are not in the table\n");
  }
}

void add_loops_json(const LoopsSeen& seen, TextBuffer& text) {
  text.add("{\"schedule\": \"%s\", ", seen.schedule);
  add_json_process(text);
  text.add(", \"omp_set_schedule\": %s, \"places\": %s, \"complete\": %s, ",
           seen.runtime_was_chosen ? "true" : "false", seen.has_places ? "true" : "false",
           seen.some_left_out ? "false" : "true");
  add_json_name("reason", seen.unseen, text);
  text.add(", \"loops\": [");
  for (std::size_t i = 0; i < seen.count; ++i) {
    const LoopSeen& loop = seen.loops[i];
    text.add(i == 0 ? "{" : ", {");
    add_json_name("function", loop.function, text);
    text.add(", \"in_function\": %llu, ", Number{loop.in_function});
    add_json_name("module", loop.module, text);
    text.add(", \"in_module\": %llu, ", Number{loop.in_module});
    add_json_name("build_id", loop.build_id, text);
    text.add(", \"threads\": %d", loop.threads);
    for (const LoopColumn& column : kLoopColumns) {
      add_in_json(column, loop, text);
    }
    add_blocks_json(loop, text);
    text.add("}");
  }
  text.add("]}\n");
}

void report_loops(const LoopsSeen& seen) {
  const options::ReportFormat format = options::settings().report;
  if (format == options::ReportFormat::kNone) {
    return;
  }
  const process::Uncancelled uncancelled;
  TextBuffer text;
  format == options::ReportFormat::kJson ? add_loops_json(seen, text) : add_loops_text(seen, text);
  write_report(text);
}

}  // namespace nestbind::observe
