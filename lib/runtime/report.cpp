// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/report.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "options/settings.hpp"
#include "runtime/masks.hpp"
#include "runtime/message.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::runtime {

using support::TextBuffer;

namespace {

// "0-3,8" in text, "0,1,2,3,8" in JSON: the processors that the calling thread may run on.
char* processors_now(options::ReportFormat format) {
  MaskBuffer mask;
  TextBuffer list;
  if (!read_self(mask)) {
    return nullptr;
  }
  const auto comma = [&] { return list.length() == 0 ? "" : ","; };
  if (format == options::ReportFormat::kJson) {
    mask::each(mask.view(), [&](int cpu) { list.add("%s%d", comma(), cpu); });
  } else {
    mask::each_range(mask.view(), [&](int first, int last) {
      list.add("%s%d", comma(), first);
      if (last > first) {
        list.add("-%d", last);
      }
    });
  }
  return list.release();
}

// The rank in an MPI job, or 0.
const char* rank() {
  const char* const variables[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                   "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
  for (const char* variable : variables) {
    if (const char* value = secure_getenv(variable)) {
      return value;
    }
  }
  return "0";
}

void expand_file_name(const char* name, TextBuffer& out) {
  for (; *name != '\0'; ++name) {
    if (name[0] != '%' || name[1] == '\0') {
      out.add("%c", *name);
      continue;
    }
    ++name;
    if (*name == 'h') {
      char host[HOST_NAME_MAX + 1] = "";
      gethostname(host, sizeof host - 1);
      out.add("%s", host);
    } else if (*name == 'p') {
      out.add("%d", static_cast<int>(getpid()));
    } else if (*name == 'r') {
      out.add("%s", rank());
    } else if (*name == '%') {
      out.add("%%");
    } else {
      out.add("%%%c", *name);
    }
  }
}

bool is_output(const struct stat& file, int descriptor) {
  struct stat output;
  return fstat(descriptor, &output) == 0 && output.st_dev == file.st_dev &&
         output.st_ino == file.st_ino;
}

// Before the first text of this process is in it. What the program writes to is left alone.
void empty_file() {
  TextBuffer name;
  expand_file_name(options::settings().report_file, name);
  struct stat file;
  if (stat(name.text(), &file) != 0 || !S_ISREG(file.st_mode) || is_output(file, STDOUT_FILENO) ||
      is_output(file, STDERR_FILENO) || truncate(name.text(), 0) != 0) {
    return;
  }
}

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

void write_report(const TextBuffer& text) {
  const Turn turn;
  if (options::settings().report_file == nullptr) {
    write_all(STDERR_FILENO, text.text(), text.length());
    return;
  }
  // Several teams may be the first.
  static pthread_once_t begun = PTHREAD_ONCE_INIT;
  pthread_once(&begun, empty_file);
  TextBuffer name;
  expand_file_name(options::settings().report_file, name);
  // A pipe without a reader does not wait.
  const int file = open(name.text(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_APPEND, 0666);
  if (file >= 0) {
    fcntl(file, F_SETFL, O_APPEND);  // a reader that is there may be slow
  }
  const char* const why = file < 0 ? strerror(errno) : "it does not take all of it";
  const bool written = file >= 0 && write_all(file, text.text(), text.length());
  static std::atomic<bool> told{false};
  if (!written && !told.exchange(true)) {
    say(Severity::kWarning, "the report cannot be written to %s: %s", name.text(), why);
  }
  if (file >= 0) {
    close(file);
  }
}

void add_path(const Place& place, const char* separator, TextBuffer& text) {
  if (place.master != nullptr && place.master->master != nullptr) {
    add_path(*place.master, separator, text);
    text.add("%s", separator);
  }
  text.add("%d", place.number);
}

void add_index(int index, const char* none, TextBuffer& text) {
  if (index < 0) {
    text.add("%6s", none);
  } else {
    text.add("%6d", index);
  }
}

void add_text(const Team& team, TextBuffer& text) {
  const Place& first = team.members[0];
  text.add("nestbind: level %d, team of %d", first.level, team.size);
  if (first.master != nullptr && first.master->master != nullptr) {
    text.add(" of thread ");
    add_path(*first.master, ".", text);
  }
  text.add("\n  %-12s %8s  %-16s%6s%6s%9s%6s\n", "path", "thread", "processors", "core", "L3",
           "package", "NUMA");
  for (int i = 0; i < team.size; ++i) {
    const Place& place = team.members[i];
    TextBuffer path;
    add_path(place, ".", path);
    text.add("  %-12s %8d  %-16s", path.text(), place.thread_id,
             place.processors == nullptr ? "?" : place.processors);
    const PlannedPlace& planned = place.planned;
    add_index(planned.pinned ? planned.core : -1, "-", text);
    add_index(planned.pinned ? planned.l3 : -1, "-", text);
    text.add("   ");
    add_index(planned.pinned ? planned.package : -1, "-", text);
    add_index(planned.pinned ? planned.numa : -1, "-", text);
    text.add("\n");
  }
}

void add_json_index(const char* name, int index, TextBuffer& text) {
  if (index < 0) {
    text.add(", \"%s\": null", name);
  } else {
    text.add(", \"%s\": %d", name, index);
  }
}

// One object on one line for each team.
void add_json(const Team& team, TextBuffer& text) {
  char spec[spec::kMaxText];
  spec::print(team.members[0].plan->spec, spec, sizeof spec);
  text.add("{\"spec\": \"%s\", \"process\": %d, \"level\": %d, \"threads\": [", spec,
           static_cast<int>(getpid()), team.members[0].level);
  for (int i = 0; i < team.size; ++i) {
    const Place& place = team.members[i];
    text.add("%s{\"path\": [", i == 0 ? "" : ", ");
    add_path(place, ", ", text);
    text.add("], \"thread\": %d, \"cpus\": [%s]", place.thread_id,
             place.processors == nullptr ? "" : place.processors);
    const PlannedPlace& planned = place.planned;
    text.add(", \"pinned\": %s", planned.pinned ? "true" : "false");
    add_json_index("core", planned.pinned ? planned.core : -1, text);
    add_json_index("l3", planned.pinned ? planned.l3 : -1, text);
    add_json_index("package", planned.pinned ? planned.package : -1, text);
    add_json_index("numa", planned.pinned ? planned.numa : -1, text);
    text.add("}");
  }
  text.add("]}\n");
}

// Said once, before the first team.
void add_heading(TextBuffer& text) {
  static std::atomic<bool> said{false};
  if (said.exchange(true)) {
    return;
  }
  if (masks_are_recorded()) {
    text.add("nestbind: dry run on %s: nothing is bound\n", options::settings().machine);
  }
  if (options::settings().competing != nullptr) {
    text.add("nestbind: %s is set too; the specification wins\n", options::settings().competing);
  }
}

}  // namespace

void report(const Place& place, const Team& team) {
  if (place.reported.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  const int saved = errno;
  const options::ReportFormat format = options::settings().report;
  place.thread_id = static_cast<int>(syscall(SYS_gettid));
  place.processors = processors_now(format);
  if (team.reported.fetch_add(1, std::memory_order_acq_rel) + 1 == team.size) {
    TextBuffer text;
    if (format == options::ReportFormat::kText) {
      add_heading(text);
      add_text(team, text);
    } else {
      add_json(team, text);
    }
    write_report(text);
  }
  errno = saved;
}

}  // namespace nestbind::runtime
