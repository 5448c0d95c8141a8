// SPDX-License-Identifier: BSD-3-Clause
// nestbind job: shows all ranks of a job, from their reports.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/common/output_files.hpp"
#include "cli/common/say.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/map/asked_nodes.hpp"
#include "cli/map/rank_messages.hpp"
#include "cli/subcommand.hpp"
#include "job/facts.hpp"
#include "job/job_findings.hpp"
#include "job/job_nodes.hpp"
#include "mask/cpu_list.hpp"
#include "nodes/nodes_picture.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

struct JobOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool all = false;
  std::string color = "auto";
  NodesOptions nodes;   // only the network
  std::string traffic;  // a folder
};

constexpr std::size_t kMostReport = std::size_t{16} << 20;

bool is_file_there(const std::string& file) { return access(file.c_str(), F_OK) == 0; }

job::Job read_all(const std::vector<std::string>& files) {
  job::Job job;
  std::set<std::string> read;
  for (const std::string& file : files) {
    if (!read.insert(file).second) {
      continue;
    }
    std::string text;
    const int error =
        support::read_user_file(file.c_str(), kMostReport, support::Streams::kRefused, text);
    if (error == 0) {
      job::read_report(text, printable(file), job);
    } else {
      job.bad.push_back({printable(file), support::why_unread(error)});
    }
  }
  job::sort_ranks(job);
  return job;
}

// Draws the nodes with their ranks, and what nodes have sent to each other. If something is wrong,
// says it, and sets the exit status.
std::string picture_of(const JobOptions& options, const job::Job& job,
                       const std::vector<job::Node>& nodes, int& status) {
  std::vector<std::string> names;
  std::vector<nodes::DrawnNode> drawn;
  std::map<int, int> node_of;  // of a rank's number
  for (const job::Node& node : nodes) {
    std::vector<int> ranks;
    for (const int index : node.ranks) {
      ranks.push_back(job::number_of(job.ranks[index]));
      node_of[ranks.back()] = static_cast<int>(names.size());
    }
    names.push_back(node.name);
    drawn.push_back({node.name, mask::list(ranks), {}});
  }
  const auto network = read_network(options.nodes, names, status);
  const auto messages = network && !options.traffic.empty()
                            ? read_traffic_folder(options.traffic, "EI", status)
                            : std::nullopt;
  if (status != kSuccess) {
    return "";
  }
  for (std::size_t node = 0; node < drawn.size(); ++node) {
    drawn[node].switches = network->switches_above(static_cast<int>(node));
  }
  std::vector<nodes::DrawnTraffic> maps;
  if (messages) {
    maps.push_back({"bytes between nodes", {}});
    for (const auto& [from, to, bytes] : messages->messages) {
      const auto one = node_of.find(from);
      const auto two = node_of.find(to);
      if (one != node_of.end() && two != node_of.end() && one->second != two->second) {
        maps[0].traffic[std::minmax(one->second, two->second)] += bytes;
      }
    }
  }
  return nodes::draw_nodes(
      job::counted(job.ranks.size(), "rank") + " on " + job::counted(nodes.size(), "node"), drawn,
      maps);
}

// Returns kFailure if ranks may share a processor, or a file is wrong.
int job_command(const JobOptions& options) {
  const job::Job job = read_all(options.files);
  const std::vector<job::Node> nodes = job::nodes_of(job);
  const std::vector<job::Finding> findings = job::findings_of(job, nodes);
  const job::Told told{job, nodes, findings};
  const bool is_json = options.format == "json";
  if (job.ranks.empty() && !is_json) {
    for (const job::BadFile& bad : job.bad) {
      say("{}: {}", bad.file, bad.fault);
    }
    if (std::ranges::none_of(options.files, is_file_there)) {
      remark(
          "each rank writes such a file: nestbind run --report=json:report-%h-%r SPEC -- program");
    }
    return kFailure;
  }
  if (options.format == "svg") {
    int status = kSuccess;
    std::fputs(picture_of(options, job, nodes, status).c_str(), stdout);
    return status;
  }
  const show::Canvas canvas = output_canvas(options.color);
  const std::string text = is_json
                               ? job::json_of(told)
                               : show::text_of(job::lines_of(told, canvas, options.all), canvas);
  std::fputs(text.c_str(), stdout);
  return job::overlaps(findings) || !job.bad.empty() ? kFailure : kSuccess;
}

}  // namespace

void add_job(CLI::App& app, Call& call) {
  const auto options = std::make_shared<JobOptions>();
  CLI::App& command = *app.add_subcommand("job", "Show all ranks of a job, and what is wrong");
  add_option(command, "FILES", "", options->files,
             "The reports of its ranks, as NESTBIND_REPORT=json:NAME-%h-%r writes them")
      ->required();
  command.add_flag("--all", options->all, "Also show nodes and ranks that are alike");
  add_format(command, options->format, "text (the default), json, or svg: nodes and their ranks",
             {"text", "json", "svg"});
  add_network_options(command, options->nodes);
  add_option(command, "--traffic", "FOLDER", options->traffic,
             "For svg: what the ranks have sent, from nestbind's or Open MPI's recorder");
  add_color(command, options->color);
  add_output(command, call);
  add_examples(
      command, {"nestbind job report-*", "the ranks that have run with --report=json:report-%h-%r"},
      {"nestbind job --format json report-* | jq .findings", "what is wrong, for a script"});
  command.callback([&call, options] { call.status = job_command(*options); });
}

}  // namespace nestbind::cli
