// SPDX-License-Identifier: BSD-3-Clause
#include "memory/loading/load_memory.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include <atomic>

#include "memory/orders/order_file.hpp"
#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "process/message.hpp"
#include "process/once.hpp"
#include "process/original_files.hpp"
#include "process/undisturbed.hpp"

namespace nestbind::memory {

namespace {

constinit process::Once g_once;
constinit std::atomic<const MemoryApi*> g_api{nullptr};

const MemoryApi* find() {
  char name[PATH_MAX] = "";
  if (!process::find_own_file(kMemoryFile, name, sizeof name)) {
    process::say(process::Severity::kError, "the path of libnestbind.so is not known");
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

void look_at_variable() {
  const char* const text = options::settings().memory;
  constexpr std::size_t kWord = sizeof kOrdersWord - 1;
  if (text == nullptr) {
    return;
  }
  if (strncmp(text, kOrdersWord, kWord) == 0) {
    take_orders(text + kWord);
  } else if (omp::has_runtime_at_start()) {
    process::say(
        process::Severity::kWarning,
        "memory is not watched: only the command uses %s; start nestbind memory -- PROGRAM",
        options::kTable[options::kMemory].rule.name);
  }
}

}  // namespace nestbind::memory
