// SPDX-License-Identifier: BSD-3-Clause
// nestbind plan: shows where each thread would be placed.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "advice/tool_lines.hpp"
#include "cli/command_line.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/devices/device_words.hpp"
#include "cli/devices/given_devices.hpp"
#include "cli/subcommand.hpp"
#include "mask/cpu_list.hpp"
#include "options/table.hpp"
#include "plan/parts.hpp"
#include "show/planned.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

namespace {

constexpr const char* kTools[] = {"places", "likwid", "taskset", "hwloc"};

struct PlanOptions {
  std::string spec;
  MachineOptions machine;
  std::optional<std::string> beside;
  std::string order;  // a file, or empty for the plain order
  int ranks = 0;      // 0 means that no ranks divide the machine
  std::string shape;  // empty means the specification's sizes
  bool all = false;
  std::string color = "auto";
  std::string format;  // if empty, picture on a terminal or with `beside`, otherwise text
};

std::string picture(const PlanOptions& options, const std::vector<show::Layout>& layouts,
                    const show::Whole& whole) {
  show::Canvas canvas = output_canvas(options.color);
  canvas.rows = options.all ? INT_MAX : canvas.rows;
  return layouts.size() == 1 ? show::picture_of(layouts[0], whole, canvas)
                             : show::pictures_of(layouts[0], layouts[1], whole, canvas);
}

std::string tables(const std::vector<show::Layout>& layouts) {
  std::string text;
  for (const show::Layout& layout : layouts) {
    text += (text.empty() ? "" : "\n") + show::text_of(layout);
  }
  return text;
}

std::string in_format(const PlanOptions& options, const std::string& format,
                      const std::vector<show::Layout>& layouts, const show::Whole& whole) {
  if (format == "picture") {
    return picture(options, layouts, whole);
  }
  if (format == "svg") {
    return show::svg_of(layouts, whole);
  }
  return format == "json"  ? show::json_of(layouts[0])
         : format == "csv" ? show::csv_of(layouts[0])
                           : tables(layouts);
}

bool is_for_tool(const std::string& format) {
  return std::ranges::find(kTools, format) != std::end(kTools);
}

int put_lines_for_tool(const std::string& tool, const show::Layout& layout,
                       const machine::Topology& topology) {
  const advice::ToolLines lines =
      advice::lines_for(tool, layout, topology.slots({1, 1, machine::CoreChoice::kAll}).slots);
  if (lines.lines.empty()) {
    say("--format {}: {}", tool, lines.reason);
    return kFailure;
  }
  if (!lines.reason.empty()) {
    warn("--format {}: {}", tool, lines.reason);
  }
  std::fputs(lines.lines.c_str(), stdout);
  return kSuccess;
}

struct OfRank {
  std::vector<int> cpus;
  show::Layout layout;
  std::vector<int> devices = {};
};

std::vector<OfRank> divide(const PlanOptions& options, const spec::Spec& spec,
                           const AskedMachine& asked, const plan::Order& order) {
  const spec::Need need = spec::need_of(spec);
  std::vector<OfRank> ranks;
  std::vector<std::vector<int>> parts =
      plan::make_parts(asked.topology, options.ranks, need.threads, need.is_open, asked.cores);
  const std::string shared = plan::sharing(parts);
  for (const std::vector<int>& cpus : parts) {
    const auto part = machine::Topology::of(asked.hardware, options.machine.machine, cpus);
    const int quota = asked.quota == 0 ? 0 : std::max(1, asked.quota / options.ranks);
    show::Layout layout = show::make_layout(spec, part, asked.smt, asked.cores, order, {}, quota);
    if (!shared.empty()) {
      layout.warnings.insert(layout.warnings.begin(), shared);
    }
    ranks.push_back({cpus, std::move(layout)});
  }
  const auto shares = devices_of_ranks(asked.hardware, parts);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    ranks[rank].devices = shares[rank];
  }
  return ranks;
}

// The NUMA nodes of the slots, ascending.
std::vector<int> nodes_of(const show::Layout& layout) {
  std::set<int> nodes;
  for (const machine::Slot& slot : layout.machine.slots) {
    if (slot.numa >= 0) {
      nodes.insert(slot.numa);
    }
  }
  return {nodes.begin(), nodes.end()};
}

std::string text_of(const PlanOptions& options, const std::vector<OfRank>& ranks,
                    const std::string& format, const AskedMachine& asked) {
  std::string text;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto& [cpus, layout, devices] = ranks[rank];
    const std::vector<int> nodes = nodes_of(layout);
    const std::string names = names_of(asked.hardware, devices, true);
    text += fmt::format("{}rank {} of {}: processors {}{}{}\n", rank == 0 ? "" : "\n", rank,
                        ranks.size(), mask::list(cpus),
                        nodes.empty() || asked.hardware.devices.empty() ? ""
                        : nodes.size() == 1 ? fmt::format("; memory of NUMA node {}", nodes[0])
                                            : "; memory of NUMA nodes " + mask::list(nodes),
                        names.empty() ? "" : "; devices " + names);
    text += in_format(options, format, {layout}, {asked.hardware, cpus});
  }
  return text;
}

std::string json_of(const std::vector<OfRank>& ranks, const machine::Hardware& hardware) {
  std::string text = "{\"ranks\": [";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto& [cpus, layout, devices] = ranks[rank];
    std::string plan = show::json_of(layout);
    plan.pop_back();
    text += fmt::format(
        "{}\n{{\"local\": {}, \"of\": {}, \"cpus\": [{}], \"memory\": [{}], \"devices\": {}, "
        "\"plan\":\n{}}}",
        rank == 0 ? "" : ",", rank, ranks.size(), fmt::join(cpus, ", "),
        fmt::join(nodes_of(layout), ", "), json_of_devices(hardware, devices, cpus), plan);
  }
  return text + "]}\n";
}

int plan_ranks(const PlanOptions& options, const spec::Spec& spec, const AskedMachine& asked,
               const plan::Order& order) {
  if (options.beside || options.format == "svg" || options.format == "csv" ||
      is_for_tool(options.format)) {
    say("--ranks is not for {}", options.beside ? "--beside" : "--format " + options.format);
    return kUsage;
  }
  const std::vector<OfRank> ranks = divide(options, spec, asked, order);
  const std::string format = options.format.empty() ? "text" : options.format;
  const std::string text =
      format == "json" ? json_of(ranks, asked.hardware) : text_of(options, ranks, format, asked);
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

int plan_command(const PlanOptions& options) {
  std::vector<std::string> texts = {options.spec};
  if (options.beside) {
    texts.push_back(*options.beside);
  }
  std::vector<spec::Spec> specs(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!read_specification(texts[i], specs[i])) {
      return kUsage;
    }
  }
  if (options.beside &&
      (options.format == "json" || options.format == "csv" || is_for_tool(options.format))) {
    say("--beside does not go with --format {}; plan each specification by a call of its own",
        options.format);
    return kUsage;
  }
  plan::Order order;
  std::vector<int> shape;
  if (!read_order(options.order, order) || !read_shape_of(options.shape, specs, shape)) {
    return kUsage;
  }
  if (options.ranks > 0 && !shape.empty()) {
    say("--shape does not go with --ranks");
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  if (options.ranks > 0) {
    return plan_ranks(options, specs[0], *asked, order);
  }
  std::vector<show::Layout> layouts;
  layouts.reserve(specs.size());
  for (const spec::Spec& spec : specs) {
    warn_of_order(options.order, order, spec, *asked);
    layouts.push_back(show::make_layout(spec, asked->topology, asked->smt, asked->cores, order,
                                        shape, asked->quota));
    layouts.back().order = order.is_plain() ? "" : printable(options.order);
  }
  const bool is_drawn = options.beside || is_on_terminal();
  const std::string format = !options.format.empty() ? options.format
                             : is_drawn              ? "picture"
                                                     : "text";
  if (is_for_tool(format)) {
    return put_lines_for_tool(format, layouts[0], asked->topology);
  }
  const std::string text = in_format(options, format, layouts, {asked->hardware, asked->allowed});
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

int check_and_do(const CLI::App& command, PlanOptions& options) {
  unshield(options.spec);
  const bool is_given = command.count("SPEC") > 0;
  options.spec = is_given ? options.spec : variable(options::kSpecification);
  if (!is_given && options.spec.empty()) {
    say("plan: no specification is given; expected nestbind plan [OPTIONS] SPEC, or "
        "OMP_NESTING_TEAM_SIZE");
    return kUsage;
  }
  warn_of_unknown_variables();
  const bool is_complete = complete(options.machine) && complete(options::kOrder, options.order);
  return is_complete ? plan_command(options) : kUsage;
}

}  // namespace

void add_plan(CLI::App& app, Call& call) {
  const auto options = std::make_shared<PlanOptions>();
  options->machine.with_devices = true;
  constexpr int kMostRanks = 4096;
  CLI::App& command = *app.add_subcommand("plan", "Show where threads would be");
  add_spec(command, options->spec, kSpecOrVariableHelp);
  add_machine_options(command, options->machine);
  add_variable_option(command, options::kOrder, options->order);
  add_option(command, "--beside", "SPEC", options->beside,
             "Another specification, to be drawn beside the first one");
  add_option(
      command, "--ranks", "N", options->ranks,
      "Show the places of each rank, if this number of ranks divides the processors of a node")
      ->check(within(1, kMostRanks));
  add_shape(command, options->shape);
  command.add_flag("--all", options->all, "Draw all parts of the machine, even if they look alike");
  add_option(command, "--quota", "N", options->machine.quota,
             "Plan for a CPU quota of this many processors, which limits sizes given as words; by "
             "default the quota of this process's cgroup, or none with --machine")
      ->check(within(1, spec::kMaxThreads));
  add_format(
      command, options->format,
      "picture, text (tables), json, csv or svg; places, likwid, taskset or hwloc: lines for "
      "this tool; by default a picture on a terminal and with --beside, svg if --output ends "
      "in .svg or .png, otherwise text",
      {"picture", "text", "json", "csv", "svg", "places", "likwid", "taskset", "hwloc"});
  add_color(command, options->color);
  add_output(command, call);
  add_examples(command,
               {"nestbind plan numa,scatter,4,subcompact --machine 'pack:4 [numa] core:4 pu:1'",
                "a team for each NUMA node, on a machine of four packages"},
               {"nestbind plan 4,scatter,4,subscatter --beside 4,compact,4,subcompact",
                "two specifications beside each other, on this machine"});
  command.callback([&command, &call, options] {
    const bool is_graphic = call.output.ends_with(".svg") || call.output.ends_with(".png");
    options->format = options->format.empty() && is_graphic ? "svg" : options->format;
    call.status = check_and_do(command, *options);
  });
}

}  // namespace nestbind::cli
