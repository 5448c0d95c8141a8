// SPDX-License-Identifier: BSD-3-Clause
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/probe/probe_forms.hpp"

namespace nestbind::cli::probe {

namespace {

using Json = nlohmann::ordered_json;
using nestbind::probe::ExchangeFound;
using nestbind::probe::Found;
using nestbind::probe::KindFound;
using nestbind::probe::Measured;
using nestbind::probe::NodeFound;
using nestbind::probe::PairFound;
using nestbind::probe::PatternFound;

Json json_of_pair(const PairFound& pair) {
  const Measured& measured = pair.measured;
  return {{"first", pair.pair.first},
          {"second", pair.pair.second},
          {"ns", measured.ns},
          {"parts", measured.parts},
          {"p90", measured.p90},
          {"batches", measured.batches},
          {"reliable", measured.is_reliable}};
}

Json json_of_kind(const KindFound& kind) {
  Json pairs = Json::array();
  for (const PairFound& pair : kind.pairs) {
    pairs.push_back(json_of_pair(pair));
  }
  return {{"name", kind.name},
          {"all", kind.all},
          {"ns", kind.ns},
          {"class", kind.number},
          {"pairs", pairs}};
}

Json json_of_matrix(const Found& found, const std::function<Json(const NodeFound&)>& value) {
  Json rows = Json::array();
  for (const auto& from : found.matrix) {
    Json row = Json::array();
    for (const NodeFound& here : from) {
      row.push_back(value(here));
    }
    rows.push_back(row);
  }
  return rows;
}

Json json_of_nodes(const Found& found) {
  Json numbers = Json::array();
  Json logical = Json::array();
  for (const auto& node : found.nodes) {
    numbers.push_back(node.number);
    logical.push_back(node.row);
  }
  return {
      {"numbers", numbers},
      {"logical", logical},
      {"ns", json_of_matrix(found, [](const NodeFound& node) { return node.ns; })},
      {"factor", json_of_matrix(found, [](const NodeFound& node) { return node.factor; })},
      {"gigabytes", json_of_matrix(found, [](const NodeFound& node) { return node.gigabytes; })},
      {"class", json_of_matrix(found, [](const NodeFound& node) { return node.number; })},
      {"reliable", json_of_matrix(found, [](const NodeFound& node) { return node.is_reliable(); })},
      {"reliable_ns",
       json_of_matrix(found, [](const NodeFound& node) { return node.is_read_reliable; })},
      {"reliable_gigabytes",
       json_of_matrix(found, [](const NodeFound& node) { return node.is_bandwidth_reliable; })}};
}

Json json_of_pattern(const PatternFound& pattern) {
  Json exchanges = Json::array();
  for (const ExchangeFound& exchange : pattern.exchanges) {
    exchanges.push_back({{"bytes", exchange.bytes},
                         {"alone", exchange.alone},
                         {"together", exchange.together},
                         {"slowest", exchange.slowest},
                         {"gigabytes", exchange.gigabytes},
                         {"reliable", exchange.is_reliable}});
  }
  return {{"name", pattern.name}, {"pairs", pattern.pairs}, {"exchanges", exchanges}};
}

}  // namespace

std::string json_of(const Found& found) {
  Json kinds = Json::array();
  for (const KindFound& kind : found.kinds) {
    kinds.push_back(json_of_kind(kind));
  }
  Json patterns = Json::array();
  for (const PatternFound& pattern : found.patterns) {
    patterns.push_back(json_of_pattern(pattern));
  }
  const Json all = {{"reliable", found.is_reliable()},
                    {"structure", found.has_structure()},
                    {"classes", {{"pairs", found.kind_classes}, {"nodes", found.node_classes}}},
                    {"batches", {{"least", found.least_batches}, {"most", found.most_batches}}},
                    {"seconds", found.seconds},
                    {"cores", found.cores},
                    {"kinds", kinds},
                    {"nodes", json_of_nodes(found)},
                    {"patterns", patterns}};
  constexpr int kIndent = 2;
  return all.dump(kIndent) + "\n";
}

}  // namespace nestbind::cli::probe
