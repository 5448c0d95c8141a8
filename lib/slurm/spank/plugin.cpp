// SPDX-License-Identifier: BSD-3-Clause
// The interface of the plugin to Slurm (SPANK, slurm/spank.h). srun, sbatch and salloc load the
// plugin: a wrong option ends these commands before a job exists. slurmd and each step's slurmstepd
// load the plugin, too: in slurmstepd the plugin sets the environment of tasks.
#include <dlfcn.h>
#include <nestbind/nestbind.h>
#include <slurm/slurm.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// Slurm finds these variables and functions by their C names, so they are exported. Slurm's header
// declares only the functions, so the variables of SPANK_PLUGIN are declared here.
#pragma GCC visibility push(default)
extern "C" {
#include <slurm/spank.h>
extern const char plugin_name[];
extern const char plugin_type[];
extern const unsigned int plugin_version;
extern const unsigned int spank_plugin_version;
SPANK_PLUGIN(nestbind, 1)
}
#pragma GCC visibility pop

#include "options/table.hpp"
#include "slurm/cache_folder.hpp"
#include "slurm/library_file.hpp"
#include "slurm/slurm_request.hpp"

namespace nestbind::slurm {

namespace {

// The request and the job's folder. Both pointers are null if the task asks for nothing. The
// objects are never freed, because Slurm ends in several ways.
constinit Request* g_request = nullptr;
constinit CacheFolder* g_cache = nullptr;

Request& request() {
  if (g_request == nullptr) {
    g_request = new Request;
  }
  return *g_request;
}

// Slurm keeps one value of an option for all components of a heterogeneous job or step. Slurm reads
// the components one after the other. sbatch and salloc keep the value in this environment
// variable, and read the value again for each later component. For each component, Slurm reads
// first the script's options, then this variable, then the command line. Inside a job with this
// option, the variable exists from the start. So the variable replaces an option in a script.
constexpr char kKept[] = "_SLURM_SPANK_OPTION_nestbind_nestbind";

struct Components {
  const bool is_read_again = spank_context() == S_CTX_ALLOCATOR && getenv(kKept) == nullptr;
  std::optional<std::string> expected;  // the first component's value
  std::array<std::string, 2> given;     // the present component's last two values, latest first
};

Components& components() {
  static Components* const all = new Components;
  return *all;
}

// Call this at the end of each component's options.
bool differs_from_first_component() {
  Components& all = components();
  const auto [last, before] = std::exchange(all.given, {});
  const bool is_first = !all.expected;
  all.expected = all.expected.value_or(last);
  return last != all.expected || (!is_first && all.is_read_again && before != all.expected);
}

bool is_wanted() { return g_request != nullptr && g_request->has_specification(); }

// Calls a function, and reports its exceptions, because no exception may reach Slurm.
template <typename Function>
int guarded(Function function) {
  try {
    return function();
  } catch (const std::exception& error) {
    slurm_error("nestbind: %s", error.what());
    return ESPANK_ERROR;
  }
}

// Slurm adds its own prefix only to the first line, so the caret stays under the text.
int refuse(const std::string& fault) {
  slurm_error("nestbind: %s", fault.c_str());
  return ESPANK_BAD_ARG;
}

int take_option(const std::string& fault) { return fault.empty() ? ESPANK_SUCCESS : refuse(fault); }

int on_specification(int, const char* value, int) {
  return guarded([&] {
    const std::string fault = take_specification(value, request());
    std::array<std::string, 2>& given = components().given;
    given = {request().specification, given.front()};
    return take_option(fault);
  });
}

int on_report(int, const char* value, int) {
  return guarded([&] { return take_option(take_report(value, request())); });
}

int on_strict(int, const char*, int) {
  return guarded([] {
    request().is_strict = true;
    return static_cast<int>(ESPANK_SUCCESS);
  });
}

// The members are arrays, because Slurm takes texts that are not constant. Slurm copies the texts.
struct Option {
  char name[32];
  char value[8];  // the value's name in the help; empty if the option has no value
  char usage[120];
  spank_opt_cb_f take;
};

constinit Option g_options[] = {
    {"nestbind", "SPEC", "place the threads of nested OpenMP teams as in nestbind-spec(7)",
     on_specification},
    {"nestbind-report", "WHAT",
     "with --nestbind: report each layout, auto|picture|text|json[,now][:FILE] (%h host, %r rank)",
     on_report},
    {"nestbind-strict", "", "with --nestbind: stop a program that cannot be bound", on_strict}};

int register_options(spank_t spank) {
  for (Option& one : g_options) {
    const bool has_value = one.value[0] != '\0';
    spank_option option = {
        one.name, has_value ? one.value : nullptr, one.usage, has_value ? 1 : 0, 0, one.take};
    const spank_err_t error = spank_option_register(spank, &option);
    if (error != ESPANK_SUCCESS) {
      slurm_error("nestbind: --%s: %s", one.name, spank_strerror(error));
    }
  }
  return ESPANK_SUCCESS;
}

std::string variable(spank_t spank, const char* name) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  for (std::string value(4096, '\0'); value.size() <= kMost; value.resize(4 * value.size())) {
    const spank_err_t error =
        spank_getenv(spank, name, value.data(), static_cast<int>(value.size()));
    if (error == ESPANK_SUCCESS) {
      value.resize(std::strlen(value.c_str()));
      return value;
    }
    if (error != ESPANK_NOSPACE) {
      break;
    }
  }
  return {};
}

// Returns an argument's value in the plugin's line of plugstack.conf.
std::string argument(int count, char** arguments, std::string_view name) {
  for (int i = 0; i < count; ++i) {
    const std::string_view whole = arguments[i];
    if (whole.starts_with(name)) {
      return std::string(whole.substr(name.size()));
    }
  }
  return {};
}

std::string own_file() {
  Dl_info found{};
  return dladdr(plugin_name, &found) != 0 && found.dli_fname != nullptr ? found.dli_fname : "";
}

std::string working_folder() {
  char folder[PATH_MAX];
  return getcwd(folder, sizeof folder) == nullptr ? "" : folder;
}

Whose whose_step(spank_t spank) {
  uint32_t step = 0;
  const bool is_known = spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS;
  const bool is_shell = step == SLURM_BATCH_SCRIPT || step == SLURM_INTERACTIVE_STEP;
  return is_known && is_shell ? Whose::kShell : Whose::kProgram;
}

// Only srun warns, because sbatch and salloc pass their options on to the job's own srun.
void tell_of_options_in_vain() {
  if (g_request != nullptr && !is_wanted() && spank_context() == S_CTX_LOCAL) {
    slurm_error(
        "nestbind: --nestbind-report and --nestbind-strict do nothing without "
        "--nestbind=SPEC");
  }
}

// asked: the parent folder from plugstack.conf, or "off".
void hold_cache(spank_t spank, const std::string& asked) {
  uid_t user = 0;
  uint32_t job = 0;
  if (!g_request->binds() || spank_get_item(spank, S_JOB_UID, &user) != ESPANK_SUCCESS ||
      spank_get_item(spank, S_JOB_ID, &job) != ESPANK_SUCCESS) {
    return;
  }
  const std::string parent = asked.empty() ? kCacheParent : asked;
  const std::string name = cache_name(parent, user, job);
  const std::string set = variable(spank, options::kTable[options::kCache].rule.name);
  if (parent.starts_with('/') &&
      (set.empty() || set == name)) {  // an earlier step may have set the job's own folder
    g_cache = new CacheFolder(CacheFolder::hold(name));
    remove_left_folders(parent, user);
  }
}

Surroundings surroundings_of(spank_t spank, const std::string& library) {
  return {library, variable(spank, "LD_PRELOAD"), working_folder(),
          g_cache != nullptr && g_cache->is_held() ? g_cache->name() : ""};
}

void set_task(spank_t spank, const std::string& library, Whose whose) {
  spank_unsetenv(spank,
                 options::kRunName);  // the user's request replaces what an earlier run has said
  for (const Variable& one : variables_for(*g_request, whose, surroundings_of(spank, library))) {
    const spank_err_t error =
        spank_setenv(spank, one.name.c_str(), one.value.c_str(), one.replaces ? 1 : 0);
    if (error != ESPANK_SUCCESS && error != ESPANK_ENV_EXISTS) {
      slurm_error("nestbind: %s: %s", one.name.c_str(), spank_strerror(error));
    }
  }
}

std::string obstacle(spank_t spank) {
  int count = 0;
  char** words = nullptr;
  if (spank_get_item(spank, S_JOB_ARGV, &count, &words) != ESPANK_SUCCESS || count < 1) {
    return {};
  }
  const std::string why =
      loader_obstacle(find_program(words[0], working_folder(), variable(spank, "PATH")));
  return why.empty() ? "" : std::string(words[0]) + " " + why;
}

int begin_task(spank_t spank, int count, char** arguments) {
  const Whose whose = whose_step(spank);
  const LibraryFile library = find_library(argument(count, arguments, "library="), own_file());
  const bool is_bound = whose == Whose::kProgram && g_request->binds();
  const std::string why =
      is_bound && g_request->is_strict && library.fault.empty() ? obstacle(spank) : library.fault;
  if (is_bound && !why.empty()) {
    slurm_error("nestbind: %s: %s", why.c_str(),
                g_request->is_strict ? "stopped" : "the program runs unbound");
    if (g_request->is_strict) {
      _exit(NESTBIND_STRICT_STATUS);  // ends the task's process, before its program begins
    }
  }
  set_task(spank, library.path, whose);
  return ESPANK_SUCCESS;
}

}  // namespace

}  // namespace nestbind::slurm

using namespace nestbind::slurm;

int slurm_spank_init(spank_t spank, int, char**) {
  // In slurmd, and in prologs and epilogs of jobs, a plugin cannot register options.
  const spank_context_t context = spank_context();
  const bool has_options =
      context == S_CTX_LOCAL || context == S_CTX_ALLOCATOR || context == S_CTX_REMOTE;
  return has_options ? register_options(spank) : static_cast<int>(ESPANK_SUCCESS);
}

int slurm_spank_init_post_opt(spank_t, int, char**) {
  tell_of_options_in_vain();
  return spank_context() == S_CTX_REMOTE ? static_cast<int>(ESPANK_SUCCESS) : guarded([] {
    if (differs_from_first_component()) {
      refuse(
          "components of a heterogeneous job or step cannot have different specifications: give "
          "each the same --nestbind, or start each with its own srun");
      exit(EXIT_FAILURE);  // no job exists yet; Slurm would ignore an error
    }
    return static_cast<int>(ESPANK_SUCCESS);
  });
}

int slurm_spank_user_init(spank_t spank, int count, char** arguments) {
  return !is_wanted() ? static_cast<int>(ESPANK_SUCCESS) : guarded([&] {
    hold_cache(spank, argument(count, arguments, "cache="));
    return static_cast<int>(ESPANK_SUCCESS);
  });
}

int slurm_spank_task_init(spank_t spank, int count, char** arguments) {
  return !is_wanted() ? static_cast<int>(ESPANK_SUCCESS)
                      : guarded([&] { return begin_task(spank, count, arguments); });
}

int slurm_spank_exit(spank_t, int, char**) {
  return g_cache == nullptr ? static_cast<int>(ESPANK_SUCCESS) : guarded([] {
    g_cache->leave();
    return static_cast<int>(ESPANK_SUCCESS);
  });
}
