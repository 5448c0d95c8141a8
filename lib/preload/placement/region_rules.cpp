// SPDX-License-Identifier: BSD-3-Clause
#include "placement/region_rules.hpp"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interpose/dynamic.hpp"
#include "interpose/module.hpp"
#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "process/message.hpp"
#include "process/traced.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"
#include "support/file_bytes.hpp"

namespace nestbind::placement {

constinit std::atomic<bool> g_has_region_rules{false};
constinit std::atomic<std::uintptr_t> g_modules_closed{0};
constinit thread_local const void* t_noted_region __attribute__((tls_model("initial-exec"))) =
    nullptr;
constinit std::atomic<void (*)(const omp::Calls&, const void*)> g_when_new_code{nullptr};

namespace {

using rules::Where;

constinit RegionRule* g_rules = nullptr;
constinit int g_count = 0;
constinit int g_last_line = 0;  // of the last rule

struct Known {
  std::atomic<std::uintptr_t> code;
  std::atomic<const RegionRule*> rule;
};
constexpr std::uintptr_t kTaken = 1;  // replaces the address while a thread writes the entry
constexpr std::size_t kKnown = 1024;
constinit Known g_known[kKnown] = {};

Known& known_at(std::uintptr_t code) { return g_known[(code ^ (code >> 10)) % kKnown]; }

// The high bits of a region's identifier count the closed modules. All addresses are smaller than
// kClosed.
constexpr std::uintptr_t kClosed = std::uintptr_t{1} << 52;

// Forgets all regions when a module is closed, because another module may get its addresses.
void forget() {
  g_modules_closed.fetch_add(kClosed, std::memory_order_relaxed);
  for (Known& known : g_known) {
    if (known.code.load(std::memory_order_relaxed) != kTaken) {
      known.code.store(0, std::memory_order_relaxed);
    }
  }
}

// A shell that starts the program reports nothing, because the program reports the faults.
template <typename... Arguments>
void say_ignored(const char* format, Arguments... arguments) {
  if (options::settings().strict || omp::has_runtime_at_start()) {
    process::say(process::Severity::kError, format,
                 options::kTable[options::kRegionRules].rule.name, arguments...);
  }
}

void say_fault(const char* what) {
  say_ignored("%s is ignored: %.500s: %s", options::settings().rules, what);
}

// Returns the whole file, which stays in memory, or null.
char* read_text(std::size_t& size) {
  const support::ErrnoKept errno_kept;
  const char* const name = options::settings().rules;
  struct stat status{};
  const bool is_there = stat(name, &status) == 0;
  size = static_cast<std::size_t>(status.st_size);
  if (is_there && (!S_ISREG(status.st_mode) || size > rules::kMostBytes)) {
    say_fault(S_ISREG(status.st_mode) ? "too large" : "no regular file");
    return nullptr;
  }
  const support::File file(name);
  if (!file.is_open()) {
    say_fault(strerror(errno));
    return nullptr;
  }
  char* const text = support::allocate<char>(size + 1);
  size = text == nullptr ? 0 : file.some(0, text, size);
  return text;
}

bool take_line(std::string_view text, int line) {
  rules::Rule rule;
  rules::Fault fault;
  const rules::Line kind = rules::read_line(text, rule, fault);
  if (kind == rules::Line::kFaulty) {
    char message[1024];
    rules::describe(text, fault, message, sizeof message);
    say_ignored("%s is ignored: %.500s, line %d, %s", options::settings().rules, line, message);
  }
  if (kind != rules::Line::kRule) {
    return kind == rules::Line::kEmpty;
  }
  if (rules::needs_code(rule.where)) {
    say_ignored(
        "%s is ignored: line %d names a function or source lines, which "
        "nestbind run --rules=%.500s finds in the program",
        line, options::settings().rules);
    return false;
  }
  RegionRule& taken = g_rules[g_count];
  const RegionRule* const before = g_count == 0 ? nullptr : &g_rules[g_count - 1];
  const bool goes_on =
      before != nullptr && g_last_line == line - 1 && rule.where.kind == Where::Kind::kAddresses &&
      before->text.where.kind == Where::Kind::kAddresses && before->text.spec == rule.spec;
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): take_text() has made room for all rules.
  taken.text = rule;
  taken.first = goes_on ? before->first : &taken;
  g_last_line = line;
  ++g_count;
  return true;
}

// The number of lines is limited, because the first fork of a region searches all rules.
bool take_text(std::string_view text) {
  int lines = 0;
  rules::each_line(text, [&](std::string_view, int number) {
    lines = number;
    return true;
  });
  if (lines > rules::kMostRules) {
    say_fault("too many lines");
    return false;
  }
  g_rules = support::allocate<RegionRule>(static_cast<std::size_t>(lines > 0 ? lines : 1));
  bool is_good = g_rules != nullptr;
  rules::each_line(text, [&](std::string_view line, int number) {
    is_good = is_good && take_line(line, number);
    return is_good;
  });
  return is_good;
}

struct Module {
  std::uintptr_t code;
  std::uintptr_t base = 0;
  const char* name = "";
};

int look_for_module(dl_phdr_info* info, size_t, void* memory) {
  auto& module = *static_cast<Module*>(memory);
  if (!interpose::range_of(*info).has(module.code)) {
    return 0;
  }
  module.base = info->dlpi_addr;
  module.name = info->dlpi_name;
  return 1;
}

// The loader does not name the program, so its name is written to `path`.
template <std::size_t kSize>
Module module_of(std::uintptr_t code, char (&path)[kSize]) {
  Module module{code};
  if (dl_iterate_phdr(look_for_module, &module) != 0 && module.name[0] == '\0') {
    const ssize_t length = readlink("/proc/self/exe", path, kSize - 1);
    path[length < 0 ? 0 : length] = '\0';
    module.name = path;
  }
  const char* const slash = strrchr(module.name, '/');
  module.name = slash == nullptr ? module.name : slash + 1;
  return module;
}

bool has(const Where& where, const Module& module) {
  if (where.kind == Where::Kind::kEvery) {
    return true;
  }
  const std::uintptr_t at = module.code - module.base;
  return rules::is_named(module.name, where.module) &&
         (where.kind == Where::Kind::kModule || (where.first <= at && at <= where.last));
}

[[gnu::noinline]] const RegionRule* look_for_rule(std::uintptr_t region, std::uintptr_t code) {
  const support::ErrnoKept errno_kept;
  char path[4096];
  const Module module = module_of(code, path);
  const RegionRule* found = nullptr;
  RegionRule* const every = g_rules;
  for (int i = 0; i < g_count && found == nullptr; ++i) {
    found = has(every[i].text.where, module) ? &every[i] : nullptr;
  }
  process::trace(process::Traced::kRegion, static_cast<long>(code),
                 static_cast<long>(code - module.base), 0, module.name);
  Known& known = known_at(region);
  std::uintptr_t nothing = 0;
  if (known.code.compare_exchange_strong(nothing, kTaken)) {
    known.rule.store(found, std::memory_order_relaxed);
    known.code.store(region, std::memory_order_release);
  }
  return found;
}

}  // namespace

bool read_region_rules() {
  if (options::settings().rules == nullptr) {  // the variable's value is not valid
    return true;
  }
  std::size_t size = 0;
  const char* const text = read_text(size);
  // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the rules point into the text
  if (text == nullptr || !take_text({text, size})) {
    return false;
  }
  static constinit interpose::Closing when_closed{forget};
  interpose::add(when_closed);
  g_has_region_rules.store(g_count > 0, std::memory_order_relaxed);
  return true;
}

const void* code_of(std::uintptr_t region) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): sources give addresses
  return reinterpret_cast<const void*>(region & (kClosed - 1));
}

const RegionRule* rule_of_region(const omp::Calls& runtime, std::uintptr_t region) {
  const Known& known = known_at(region);
  if (known.code.load(std::memory_order_acquire) == region && region > kTaken) {
    return known.rule.load(std::memory_order_relaxed);
  }
  const std::uintptr_t code = region & (kClosed - 1);
  if (auto* const tell = g_when_new_code.load()) {
    tell(runtime, code_of(region));
  }
  return look_for_rule(region, code);
}

}  // namespace nestbind::placement
