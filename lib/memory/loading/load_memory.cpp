// SPDX-License-Identifier: BSD-3-Clause
#include "memory/loading/load_memory.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "interpose/code_place.hpp"
#include "memory/wish/wish.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "process/message.hpp"
#include "process/once.hpp"
#include "process/original_files.hpp"
#include "process/output_file.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"
#include "support/glibc.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::memory {

namespace {

constinit process::Once g_once;
constinit std::atomic<const MemoryApi*> g_api{nullptr};

const MemoryApi* find() {
  char name[PATH_MAX] = "";
  if (!process::find_own_file(kMemoryFile, name, sizeof name)) {
    process::say(process::Severity::kError, "the place of libnestbind.so is not known");
    return nullptr;
  }
  void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const void* const api = handle == nullptr ? nullptr : dlsym(handle, kMemorySymbol);
  if (api == nullptr) {
    const char* const why = dlerror();
    process::say(process::Severity::kError, "%s cannot be loaded: %.500s", kMemoryFile,
                 why == nullptr ? name : why);
  }
  return static_cast<const MemoryApi*>(api);
}

}  // namespace

const MemoryApi* load() {
  g_once.run([] {
    const process::Undisturbed undisturbed;
    g_api.store(find(), std::memory_order_release);
  });
  return loaded();
}

const MemoryApi* loaded() { return g_api.load(std::memory_order_acquire); }

namespace {

constinit const MemoryApi* g_watching = nullptr;
constinit process::OutputFile g_file;
constinit bool g_has_file = false;
constinit pid_t g_process = 0;  // that is watched

void write(const char* text) {
  if (!g_has_file) {
    process::write_error_output(text, strlen(text));
  } else if (const char* const why = g_file.write(text, strlen(text))) {
    process::say(process::Severity::kWarning, "the report of memory cannot be written to %s: %s",
                 g_file.name(), why);
  }
}

// At the process's end; a child that was forked has nothing to tell.
void report() {
  if (getpid() != g_process) {
    return;
  }
  const support::ErrnoKept errno_kept;
  const process::Undisturbed undisturbed;
  if (char* text = g_watching->report()) {
    write(text);
    free(text);
  }
}

void forget_in_child() { g_watching->forget(); }

bool name_file(const char* name) {
  support::TextBuffer expanded;
  process::expand_file_name(name, expanded);
  g_has_file = g_file.set_name(expanded.text(), process::OutputFile::Begins::kEmpty);
  if (!g_has_file) {
    process::say(process::Severity::kWarning, "the report of memory cannot be written to %s: %s",
                 expanded.text(), strerror(errno));
  }
  return g_has_file;
}

}  // namespace

bool advise_from_now() {
  const char* text = options::settings().memory;
  if (text == nullptr || g_watching != nullptr) {
    return true;
  }
  Wish wish;
  WishFault fault;
  if (!parse(text, wish, fault)) {
    char message[1024];
    describe(text, fault, message, sizeof message);
    process::say(process::Severity::kError, "%s: %s\n  it is ignored: memory is not watched",
                 options::kTable[options::kMemory].rule.name, message);
    return false;
  }
  const process::Undisturbed undisturbed;
  const MemoryApi* api = load();
  if (api == nullptr || (wish.file != nullptr && !name_file(wish.file))) {
    return true;
  }
  g_watching = api;
  g_process = getpid();
  support::at_fork(nullptr, nullptr, forget_in_child);
  atexit(report);
  const int error =
      api->watch({wish.is_apply, wish.always, wish.every, static_cast<std::size_t>(wish.least),
                  wish.seconds, wish.is_json, interpose::find_code});
  if (error == EPERM) {
    process::say(process::Severity::kWarning,
                 "memory is not watched: a filter of system calls refuses what it takes");
  } else if (error != 0) {
    process::say(process::Severity::kWarning, "memory is not watched: %s", strerror(error));
  }
  return true;
}

}  // namespace nestbind::memory
