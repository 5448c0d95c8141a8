// SPDX-License-Identifier: BSD-3-Clause
#include "observe/output.hpp"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "options/settings.hpp"
#include "process/message.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "support/clock.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::observe {

using options::settings;
using support::Shown;
using support::TextBuffer;

namespace {

// The number of the process that has the turn, or 0. If a thread has waited too long, the number
// becomes negative. Then no thread waits for this turn.
constinit std::atomic<int> g_process{0};
constinit thread_local bool t_is_here __attribute__((tls_model("initial-exec"))) = false;

constinit process::OutputFile g_file;  // written only in a turn

Shown host() {
  char name[HOST_NAME_MAX + 1] = "";
  gethostname(name, sizeof name - 1);
  return Shown(name);
}

// Adds the rank as a number, as all launchers write it.
void add_json_rank(TextBuffer& text) {
  const char* told = process::told_rank();
  const Shown rank(told == nullptr ? "" : told);
  const bool is_number =
      strspn(rank.text, "0123456789") == strlen(rank.text) && rank.text[0] != '0';
  const char* quote = told == nullptr || is_number || strcmp(rank.text, "0") == 0 ? "" : "\"";
  text.add("\"rank\": %s%s%s", quote, told == nullptr ? "null" : rank.text, quote);
}

void add_json_part(const process::Part& part, TextBuffer& text) {
  part.of == 0 ? text.add("{\"local\": null, \"of\": null")
               : text.add("{\"local\": %d, \"of\": %d", part.local, part.of);
  text.add(R"(, "by": "%s", "kind": "%s", "why": "%s", "cpus": )", part.by, part.kind, part.why);
  text.add(part.cpus.bits == nullptr ? "null" : "[");
  if (part.cpus.bits != nullptr) {
    add_cpus(part.cpus, false, text);
    text.add("]");
  }
  text.add("}");
}

}  // namespace

Turn::Turn(int patience) : is_inside_(t_is_here), is_ours_(!is_inside_ && take(patience)) {}

bool Turn::take(int patience) {
  t_is_here = true;
  const int process = getpid();
  constexpr int kInMillisecond = 10;
  int waits = patience * kInMillisecond;
  int present = 0;
  while (!g_process.compare_exchange_weak(present, process, std::memory_order_acquire)) {
    if (present == -process) {
      return false;
    }
    if (present == process && waits-- <= 0) {
      g_process.compare_exchange_strong(present, -process, std::memory_order_relaxed);
      return false;
    }
    if (present == process) {
      present = 0;
      support::nap(100);
    }
  }
  return true;
}

Turn::~Turn() {
  if (is_ours_) {
    g_process.store(0, std::memory_order_release);
  }
  if (!is_inside_) {
    t_is_here = false;
  }
}

bool name_report() {
  if (settings().report_file == nullptr) {
    return true;
  }
  const Turn turn;
  TextBuffer name;  // a forked child may have another file, named by its number
  process::expand_file_name(settings().report_file, name);
  return g_file.set_name(name.text(), process::OutputFile::Begins::kEmpty);
}

process::Terminal report_terminal() {
  const Turn turn;
  return settings().report_file == nullptr ? process::terminal_at(STDERR_FILENO)
                                           : g_file.terminal();
}

void write_report(const TextBuffer& text) {
  const Turn turn;
  if (settings().report_file == nullptr) {
    process::write_error_output(text.text(), text.length());
    return;
  }
  const bool is_name = name_report();
  const char* const why = is_name ? g_file.write(text.text(), text.length()) : strerror(errno);
  static constinit std::atomic<bool> told{false};
  if (why != nullptr) {
    process::warn_once(told, "the report cannot be written to %s: %s",
                       is_name ? g_file.name() : settings().report_file, why);
  }
}

void add_process(TextBuffer& text) {
  text.add("process %d on %s", static_cast<int>(getpid()), host().text);
  if (const char* rank = process::told_rank()) {
    text.add(", rank %s", Shown(rank).text);
  }
}

void add_part(TextBuffer& text) {
  const process::Part* const part = process::part();
  if (part == nullptr) {
    return;
  }
  part->of == 0 ? text.add("nestbind: rank of %s", part->by)
                : text.add("nestbind: local rank %d of %d (%s)", part->local, part->of, part->by);
  if (part->cpus.bits != nullptr) {
    text.add(", processors ");
    add_cpus(part->cpus, true, text);
  }
  text.add(", %s: %s\n", part->kind, part->why);
}

void add_tree_part(TextBuffer& text) {
  const process::TreePart part = process::tree_part();
  if (part.of > 1) {
    text.add("nestbind: process %d of %d live processes of its tree, which divide the processors\n",
             part.index, part.of);
  }
}

void add_mask_setter(TextBuffer& text) {
  if (const process::MaskSetter* const setter = process::narrowed_by()) {
    text.add("nestbind: %s has narrowed the process's mask to processors ", setter->who);
    add_cpus(process::original_mask(), true, text);
    text.add(", %ld ms after the start\n", setter->after);
  }
}

void add_quota(TextBuffer& text) {
  const support::CpuQuota& quota = process::cpu_quota();
  const int threads = process::quota();
  if (threads == 0) {
    return;
  }
  text.add("nestbind: CPU quota: %ld %% of a processor's time by %s",
           100 * quota.time / quota.period, quota.folder);
  if (process::ranks_of_quota() > 1) {
    text.add(", for %d ranks", process::ranks_of_quota());
  }
  text.add("; %s %d thread%s\n", support::kWordsMakeAtMost, threads, threads == 1 ? "" : "s");
}

void add_given_devices(TextBuffer& text) {
  const char* const given = options::settings().given_devices;
  if (given != nullptr) {
    const int names = static_cast<int>(strcspn(given, ";"));
    text.add("nestbind: devices: %.*s%s\n", names == 0 ? 4 : names, names == 0 ? "none" : given,
             given + names);
  }
}

namespace {

// ["cuda0", "cuda1"], and the remark.
void add_json_devices(const char* given, TextBuffer& text) {
  text.add(", \"devices\": {\"given\": [");
  const char* comma = "";
  while (*given != '\0' && *given != ';') {
    given += strspn(given, ", ");
    const auto length = strcspn(given, ",;");
    text.add("%s\"%.*s\"", comma, static_cast<int>(length), given);
    comma = ", ";
    given += length;
  }
  text.add("], \"remark\": \"%s\"}", *given == ';' ? given + strlen("; ") : "");
}

}  // namespace

void add_json_process(TextBuffer& text) {
  text.add("\"process\": %d, \"host\": \"%s\", ", static_cast<int>(getpid()), host().text);
  add_json_rank(text);
  if (const process::Part* const part = process::part()) {
    text.add(", \"part\": ");
    add_json_part(*part, text);
  }
  if (process::quota() > 0) {
    text.add(", \"quota\": %d", process::quota());
  }
  if (const process::MaskSetter* const setter = process::narrowed_by()) {
    text.add(R"(, "mask_set": {"by": "%s", "after": %ld})", Shown(setter->who).text, setter->after);
  }
  if (const char* const given = options::settings().given_devices) {
    add_json_devices(given, text);
  }
}

void add_json_node_name(TextBuffer& text) {
  const char* told = options::variable("SLURMD_NODENAME");
  if (told != nullptr && strcmp(told, host().text) != 0) {
    text.add("\"name\": \"%s\"", Shown(told).text);
  }
}

}  // namespace nestbind::observe
