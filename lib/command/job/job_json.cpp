// SPDX-License-Identifier: BSD-3-Clause
#include <climits>
#include <nlohmann/json.hpp>

#include "job/facts.hpp"
#include "job/job_findings.hpp"
#include "support/decimal.hpp"

namespace nestbind::job {

namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(int number) { return number < 0 ? Json(nullptr) : Json(number); }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// A launcher's number becomes a JSON number, other names become texts.
Json named(const std::string& name) {
  int number = 0;
  return support::read_decimal(name.data(), name.size(), INT_MAX, number) ? Json(number)
                                                                          : Json(name);
}

Json rank_object(const Rank& rank) {
  Json object;
  object["rank"] = rank.rank.empty() ? Json(nullptr) : named(rank.rank);
  object["node"] = rank.node;
  object["host"] = rank.host;
  object["process"] = rank.process;
  object["file"] = rank.file;
  object["spec"] = specs_of(rank);
  object["sizes"] = sizes_of(rank);
  object["threads"] = rank.threads.size();
  object["cpus"] = cpus_of(rank);
  object["allowed"] = rank.allowed ? Json(*rank.allowed) : Json(nullptr);
  object["part"] = nullptr;
  if (rank.part) {
    const Part& part = *rank.part;
    object["part"] = {{"local", number_or_null(part.local)},
                      {"of", part.of == 0 ? Json(nullptr) : Json(part.of)},
                      {"by", part.by},
                      {"kind", part.kind},
                      {"why", part.why}};
  }
  if (!rank.devices.empty()) {
    object["devices"] = rank.devices;
  }
  return object;
}

Json node_object(const Job& job, const Node& node) {
  Json object;
  object["node"] = node.name;
  object["processors"] = Json::array();
  for (const Group& group : node.groups) {
    for (const Processor& processor : group.processors) {
      Json one = {{"cpu", processor.cpu},
                  {"core", number_or_null(processor.core)},
                  {"package", number_or_null(group.package)},
                  {"numa", number_or_null(group.numa)},
                  {"threads", Json::array()}};
      for (const Cell& cell : processor.cells) {
        one["threads"].push_back(
            {{"rank", named(name_of(job.ranks[cell.rank]))}, {"path", cell.path}});
      }
      object["processors"].push_back(std::move(one));
    }
  }
  object["wide"] = Json::array();
  for (const Wide& wide : node.wide) {
    object["wide"].push_back({{"rank", named(name_of(job.ranks[wide.rank]))},
                              {"cpus", wide.cpus.empty() ? Json(nullptr) : Json(wide.cpus)},
                              {"paths", wide.paths}});
  }
  return object;
}

Json finding_object(const Finding& finding) {
  Json object;
  object["kind"] = kKinds[static_cast<int>(finding.kind)];
  object["node"] = text_or_null(finding.node);
  object["ranks"] = Json::array();
  for (const std::string& name : finding.ranks) {
    object["ranks"].push_back(named(name));
  }
  object["cpus"] = finding.cpus;
  object["text"] = finding.text;
  return object;
}

template <typename Items, typename ObjectOf>
void add_list(const char* key, const Items& items, ObjectOf object_of, std::string& text) {
  text += std::string("\"") + key + "\": [";
  const char* separator = "\n  ";
  for (const auto& item : items) {
    text += separator + object_of(item).dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n  ";
  }
  text += "]";
}

}  // namespace

// Writes each rank, node and finding on one line, so that diff can compare two jobs.
std::string json_of(const Told& told) {
  std::string text = "{";
  add_list("ranks", told.job.ranks, rank_object, text);
  text += ",\n ";
  add_list(
      "nodes", told.nodes, [&](const Node& node) { return node_object(told.job, node); }, text);
  text += ",\n ";
  add_list("findings", told.findings, finding_object, text);
  return text + "}\n";
}

}  // namespace nestbind::job
