// SPDX-License-Identifier: BSD-3-Clause
#include "observe/output.hpp"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "options/settings.hpp"
#include "process/file_name.hpp"
#include "process/message.hpp"
#include "process/output_file.hpp"
#include "process/rank.hpp"

namespace nestbind::observe {

using options::settings;
using support::TextBuffer;

namespace {

// One text after the other, for a pipe mixes long ones. A forked child does not wait for a thread
// that it has not, and nobody for one that has been ended in its turn.
class Turn {
 public:
  Turn() : process_(getpid()) {
    constexpr timespec kShort{0, 100000};
    int waits = 100000;
    int present = 0;
    while (!g_process.compare_exchange_weak(present, process_, std::memory_order_acquire) &&
           waits > 0) {
      if (present == process_) {
        present = 0;
        nanosleep(&kShort, nullptr);
        --waits;
      }
    }
  }
  ~Turn() { g_process.store(0, std::memory_order_release); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const int process_;
  static constinit std::atomic<int> g_process;  // whose turn it is; 0: nobody's
};
constinit std::atomic<int> Turn::g_process{0};

constinit process::OutputFile g_file;  // written in a turn

// A name that somebody else has given: nothing in it ends a line, or a text of JSON.
struct Word {
  char text[HOST_NAME_MAX + 1] = "";

  explicit Word(const char* given) {
    for (std::size_t i = 0; given[i] != '\0' && i + 1 < sizeof text; ++i) {
      const bool is_plain =
          given[i] > ' ' && given[i] < 0x7f && strchr("\"\\", given[i]) == nullptr;
      text[i] = is_plain ? given[i] : '?';
    }
  }
};

Word host() {
  char name[HOST_NAME_MAX + 1] = "";
  gethostname(name, sizeof name - 1);
  return Word(name);
}

// A rank is a number to every launcher, and a text where somebody has set something else.
void add_json_rank(TextBuffer& text) {
  const char* told = process::told_rank();
  const Word rank(told == nullptr ? "" : told);
  const bool is_number =
      strspn(rank.text, "0123456789") == strlen(rank.text) && rank.text[0] != '0';
  const char* quote = told == nullptr || is_number || strcmp(rank.text, "0") == 0 ? "" : "\"";
  text.add("\"rank\": %s%s%s", quote, told == nullptr ? "null" : rank.text, quote);
}

}  // namespace

void write_report(const TextBuffer& text) {
  const Turn turn;
  if (settings().report_file == nullptr) {
    process::write_error_output(text.text(), text.length());
    return;
  }
  TextBuffer name;  // a forked child may have another, by its number
  process::expand_file_name(settings().report_file, name);
  const bool is_name = g_file.set_name(name.text(), process::OutputFile::Begins::kEmpty);
  const char* const why = is_name ? g_file.write(text.text(), text.length()) : strerror(errno);
  static std::atomic<bool> told{false};
  if (why != nullptr && !told.exchange(true)) {
    process::say(process::Severity::kWarning, "the report cannot be written to %s: %s", name.text(),
                 why);
  }
}

void add_process(TextBuffer& text) {
  text.add("process %d on %s", static_cast<int>(getpid()), host().text);
  if (const char* rank = process::told_rank()) {
    text.add(", rank %s", Word(rank).text);
  }
}

void add_json_process(TextBuffer& text) {
  text.add("\"process\": %d, \"host\": \"%s\", ", static_cast<int>(getpid()), host().text);
  add_json_rank(text);
}

}  // namespace nestbind::observe
