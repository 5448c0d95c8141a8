// SPDX-License-Identifier: BSD-3-Clause
// nestbind probe: measures the distances between processors and between NUMA nodes.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/probe/probe_forms.hpp"
#include "cli/probe/probe_work.hpp"
#include "cli/subcommand.hpp"
#include "machine/cache/probed.hpp"
#include "machine/loading/load_machine.hpp"
#include "options/table.hpp"
#include "probe/probe_found.hpp"

namespace nestbind::cli {

namespace {

inline constexpr int kNotReliable = 3;

struct ProbeOptions {
  std::string cpus;  // a list; if empty, this process's processors
  bool full = false;
  int limit = 0;  // seconds; if 0, the default
  std::string format = "text";
  bool save = false;
  std::string xml;
  std::string svg;
};

using machine::cache::Probed;
using nestbind::probe::Found;

std::optional<machine::Hardware> read_wanted(const ProbeOptions& options,
                                             const std::string& library, int& status) {
  std::optional<std::vector<int>> wanted;
  status = kUsage;
  if (!options.cpus.empty() && !(wanted = read_processors(options.cpus))) {
    return std::nullopt;
  }
  try {
    machine::Hardware hardware = read_machine(library, "");
    const auto own = own_processors();
    for (std::size_t p = 0; p < hardware.cpus.size() && own; ++p) {
      hardware.is_allowed[p] = hardware.is_allowed[p] && std::ranges::count(*own, hardware.cpus[p]);
    }
    const std::string missing = wanted ? missing_processors(*wanted, hardware) : "";
    if (!missing.empty()) {
      say("--cpus {}: this machine has no {} that may be used", options.cpus, missing);
      return std::nullopt;
    }
    for (std::size_t p = 0; p < hardware.cpus.size() && wanted; ++p) {
      hardware.is_allowed[p] = std::ranges::count(*wanted, hardware.cpus[p]) > 0;
    }
    status = kSuccess;
    return hardware;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    status = kFailure;
    return std::nullopt;
  }
}

// The caches of a node cannot hold all these bytes.
std::size_t bytes_to_read(const machine::Hardware& hardware) {
  constexpr std::size_t kLeast = std::size_t{64} << 20;
  constexpr std::size_t kMost = std::size_t{512} << 20;
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const auto caches = static_cast<std::size_t>(
      std::ranges::count(hardware.objects, machine::Type::kL3, &machine::Object::type));
  const std::size_t nodes = std::max<std::size_t>(hardware.numa_processors.size(), 1);
  const std::size_t around = (caches + nodes - 1) / nodes;
  return std::clamp(2 * around * static_cast<std::size_t>(std::max(cache, 0L)), kLeast, kMost);
}

Probed as_saved(const Found& found, std::size_t nodes) {
  constexpr double kMegabytes = 1000;
  Probed saved;
  saved.ns.assign(nodes, std::vector<unsigned>(nodes, 0));
  saved.megabytes = saved.ns;
  const auto distances = nestbind::probe::distances_of(found);
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    for (std::size_t j = 0; j < found.nodes.size(); ++j) {
      const auto from = static_cast<std::size_t>(found.nodes[i].row);
      const auto to = static_cast<std::size_t>(found.nodes[j].row);
      const auto& here = found.matrix[i][j];
      saved.ns[from][to] = static_cast<unsigned>(std::lround(std::max(distances[i][j], 1.0)));
      saved.megabytes[from][to] =
          static_cast<unsigned>(std::lround(std::max(here.gigabytes * kMegabytes, 1.0)));
    }
  }
  return saved;
}

bool write_xml(const std::string& file, const Probed& saved, const std::string& library) {
  try {
    machine::loading::load_and_write(topology_module(library), file, saved.ns, saved.megabytes);
    return true;
  } catch (const machine::Unreadable& fault) {
    say("probe: --xml {}: {}", file, fault.what());
    return false;
  }
}

bool write_svg(const std::string& name, const Found& found) {
  const bool is_written = write_file(name, probe::picture_of(found));
  if (!is_written) {
    say("probe: --svg {}: {}", name, std::strerror(errno));
  }
  return is_written;
}

bool save(const Probed& saved) {
  const std::string setting = variable("NESTBIND_CACHE");
  const auto folder = machine::cache::Folder::open(setting.empty() ? nullptr : setting.c_str());
  const auto key = folder.is_usable() ? machine::cache::key_of_probed() : std::nullopt;
  if (!key) {
    say("probe: --save: there is no cache of machines: set NESTBIND_CACHE or XDG_RUNTIME_DIR to a "
        "folder that this user alone can write to, and unset all HWLOC_*");
    return false;
  }
  if (!folder.write_bytes(machine::cache::seal(saved, *key), *key)) {
    say("probe: --save: {}", std::strerror(errno));
    return false;
  }
  return true;
}

std::string reason_against(const Found& found, const Probed& saved, bool is_for_all,
                           const machine::Hardware& hardware) {
  if (found.nodes.size() < 2) {
    return "there is only one NUMA node, so there are no distances";
  }
  if (found.node_classes < 2) {
    return "no difference between distances of NUMA nodes";
  }
  if (!found.has_distances()) {
    return "the distances between nodes are not reliable";
  }
  return is_for_all && !machine::cache::covers(saved, hardware)
             ? "some nodes were left out: their processors may not be used, or are not in --cpus"
             : "";
}

bool is_refused(const char* option, const std::string& reason) {
  if (!reason.empty()) {
    remark("probe: {}: nothing is written: {}", option, reason);
  }
  return !reason.empty();
}

// Returns false if a file was not written.
bool write_files(const ProbeOptions& options, const Found& found, const machine::Hardware& hardware,
                 const std::string& library) {
  const Probed saved = as_saved(found, hardware.numa_processors.size());
  bool is_good = true;
  if (!options.xml.empty() && !is_refused("--xml", reason_against(found, saved, false, hardware))) {
    is_good = write_xml(options.xml, saved, library);
  }
  if (options.save && !is_refused("--save", reason_against(found, saved, true, hardware))) {
    is_good = save(saved) && is_good;
  }
  if (!options.svg.empty() &&
      !is_refused("--svg", found.has_structure() ? "" : "no difference between distances")) {
    is_good = write_svg(options.svg, found) && is_good;
  }
  return is_good;
}

int tell(const ProbeOptions& options, const Found& found, const machine::Hardware& hardware,
         const std::string& library, bool is_cut) {
  const std::string text = options.format == "json"  ? probe::json_of(found)
                           : options.format == "svg" ? probe::picture_of(found)
                                                     : probe::table_of(found);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  const bool is_good = write_files(options, found, hardware, library);
  if (!is_good) {
    return kFailure;
  }
  if (!found.is_reliable()) {
    say("probe: not reliable: {} of {} numbers changed by more than 10 %{}; they are marked. The "
        "machine may be busy, or it is a virtual machine that was moved; measure again when it is "
        "idle",
        found.unreliable, found.numbers,
        is_cut ? ", or had too few batches before the limit (--limit)" : "");
    return kNotReliable;
  }
  return kSuccess;
}

int probe_command(const ProbeOptions& options) {
  const auto library = find_library("");
  if (!library) {
    return kFailure;
  }
  int status = kSuccess;
  const auto hardware = read_wanted(options, *library, status);
  if (!hardware) {
    return status;
  }
  const auto survey = nestbind::probe::plan_survey(*hardware, {.full = options.full, .seed = 1});
  try {
    const auto threads = probe::make_threads(bytes_to_read(*hardware));
    probe::ProgressBar bar(stderr);
    nestbind::probe::Rules rules;
    rules.limit = options.limit > 0 ? options.limit
                  : options.full    ? std::numeric_limits<double>::max()
                                    : rules.limit;
    const Found found =
        nestbind::probe::probe(survey, *threads, rules, [&](double done, double left) {
          if (done == 0) {
            remark("probe: about {:.0f} s, if the load of the machine does not change{}",
                   std::ceil(left),
                   options.full && options.limit == 0
                       ? ""
                       : fmt::format("; at most {:.0f} s (--limit)", rules.limit));
          }
          bar.show(done, left);
        });
    bar.clear();
    return tell(options, found, *hardware, *library, found.seconds >= rules.limit);
  } catch (const probe::CannotMeasure& fault) {
    say("probe: {}", fault.what());
    return kFailure;
  }
}

}  // namespace

void add_probe(CLI::App& app, Call& call) {
  const auto options = std::make_shared<ProbeOptions>();
  CLI::App& command =
      *app.add_subcommand("probe", "Measure how far processors and NUMA nodes are from each other");
  add_cpus(command, options->cpus,
           "Processors to measure, such as 0-3,8; by default all that this process may use");
  command.add_flag("--full", options->full,
                   "Measure all pairs of cores; by default three pairs of each kind");
  constexpr int kMostSeconds = 1000000;
  add_option(command, "--limit", "SECONDS", options->limit,
             "Stop after this many seconds, and show the results so far; by default 60; with "
             "--full no limit")
      ->check(within(1, kMostSeconds));
  add_format(command, options->format,
             "text (tables, the default), json, or svg: a picture of the distances",
             {"text", "json", "svg"});
  add_output(command, call);
  add_option(command, "--svg", "FILE", options->svg,
             "Also write a picture of the distances to this file");
  add_option(
      command, "--xml", "FILE", options->xml,
      "Also write this machine, with the distances of its nodes, to this file, as hwloc's XML");
  command.add_flag("--save", options->save,
                   "Keep the distances of nodes for NESTBIND_MACHINE_DISTANCES=probed");
  add_examples(command, {"nestbind probe", "shows a table of the distances after some seconds"},
               {"nestbind probe --full --xml measured.xml --svg measured.svg",
                "all pairs of cores, a picture of them, and a file for lstopo --distances"});
  command.callback([&call, options] {
    warn_of_unknown_variables();
    call.status = probe_command(*options);
  });
}

}  // namespace nestbind::cli
