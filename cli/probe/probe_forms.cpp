// SPDX-License-Identifier: BSD-3-Clause
#include "cli/probe/probe_forms.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>

namespace nestbind::cli::probe {

namespace {

using nestbind::probe::ExchangeFound;
using nestbind::probe::Found;
using nestbind::probe::KindFound;
using nestbind::probe::Measured;
using nestbind::probe::NodeFound;
using nestbind::probe::PairFound;
using nestbind::probe::PatternFound;

constexpr char kNot[] = "  not reliable";

std::string number(double value) {
  constexpr double kNoFraction = 100;
  constexpr double kTwo = 10;
  return fmt::format("{:.{}f}", value, value >= kNoFraction ? 0 : value >= kTwo ? 1 : 2);
}

std::string row_of(const KindFound& kind, std::size_t width) {
  const auto by_ns = [](const PairFound& pair) { return pair.measured.ns; };
  const auto [least, most] = std::ranges::minmax_element(kind.pairs, {}, by_ns);
  const bool is_reliable = std::ranges::all_of(
      kind.pairs, [](const PairFound& pair) { return pair.measured.is_reliable; });
  return fmt::format("  {:<{}}  {:>12}  {:>8}  {:>18}{}\n", kind.name, width,
                     fmt::format("{} of {}", kind.pairs.size(), kind.all), number(kind.ns),
                     fmt::format("{} to {}", number(least->measured.ns), number(most->measured.ns)),
                     is_reliable ? "" : kNot);
}

std::string kinds_of(const Found& found) {
  if (found.kinds.empty()) {
    return "";
  }
  std::size_t width = 0;
  for (const KindFound& kind : found.kinds) {
    width = std::max(width, kind.name.size());
  }
  std::string text = fmt::format(
      "A round trip of 64 bytes between two processors, alone, ns\n  {:<{}}"
      "  {:>12}  {:>8}  {:>18}\n",
      "", width, "pairs", "mean", "least to most");
  for (const KindFound& kind : found.kinds) {
    text += row_of(kind, width);
  }
  return text + "\n";
}

std::string matrix_of(const Found& found, const char* title,
                      const std::function<double(const NodeFound&)>& value,
                      bool NodeFound::* is_reliable) {
  std::string text = fmt::format("{}\n  node", title);
  for (const auto& to : found.nodes) {
    text += fmt::format("{:>9}", to.number);
  }
  text += "\n";
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    text += fmt::format("  {:>4}", found.nodes[i].number);
    for (const NodeFound& here : found.matrix[i]) {
      text += fmt::format("{:>8}{}", number(value(here)), here.*is_reliable ? ' ' : '?');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string nodes_of(const Found& found) {
  bool is_reliable = true;
  for (const auto& row : found.matrix) {
    is_reliable = is_reliable && std::ranges::all_of(row, &NodeFound::is_reliable);
  }
  return matrix_of(
             found, "Nanoseconds for a read by a node (row) from a node's memory (column)",
             [](const NodeFound& node) { return node.ns; }, &NodeFound::is_read_reliable) +
         "\n" +
         (found.nodes.size() > 1
              ? matrix_of(
                    found, "The same, divided by the time for a node's own memory (NUMA factors)",
                    [](const NodeFound& node) { return node.factor; },
                    &NodeFound::is_read_reliable) +
                    "\n"
              : "") +
         matrix_of(
             found, "Bandwidth, all cores of a node reading, GB/s",
             [](const NodeFound& node) { return node.gigabytes; },
             &NodeFound::is_bandwidth_reliable) +
         (is_reliable ? "" : "  ? not reliable\n");
}

std::string size_of(int bytes) {
  constexpr int kKibi = 1024;
  return bytes < kKibi           ? fmt::format("{} B", bytes)
         : bytes < kKibi * kKibi ? fmt::format("{} KiB", bytes / kKibi)
                                 : fmt::format("{} MiB", bytes / kKibi / kKibi);
}

std::string patterns_of(const Found& found) {
  if (found.patterns.empty()) {
    return "";
  }
  std::string text = fmt::format(
      "\nRound trips of all pairs at once, ns\n  {:<8}{:>6}{:>9}{:>10}{:>11}{:>7}{:>10}{:>9}\n", "",
      "pairs", "message", "alone", "together", "ratio", "slowest", "GB/s");
  for (const PatternFound& pattern : found.patterns) {
    for (const ExchangeFound& exchange : pattern.exchanges) {
      text += fmt::format("  {:<8}{:>6}{:>9}{:>10}{:>11}{:>7}{:>10}{:>9}{}\n", pattern.name,
                          pattern.pairs, size_of(exchange.bytes), number(exchange.alone),
                          number(exchange.together), number(exchange.together / exchange.alone),
                          number(exchange.slowest), number(exchange.gigabytes),
                          exchange.is_reliable ? "" : kNot);
    }
  }
  return text;
}

std::string verdict_of(const Found& found) {
  if (!found.has_structure()) {
    return "\nno difference between distances\n";
  }
  return fmt::format("\ndifferent distances: {} between processors, {} to memory\n",
                     found.kind_classes, found.node_classes);
}

using Json = nlohmann::ordered_json;

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

std::string table_of(const Found& found) {
  return fmt::format("{}{}{}{}10th percentiles of {}; {:.1f} s\n", kinds_of(found), nodes_of(found),
                     patterns_of(found), verdict_of(found),
                     found.least_batches == found.most_batches
                         ? fmt::format("{} batches each", found.least_batches)
                         : fmt::format("{} to {} batches", found.least_batches, found.most_batches),
                     found.seconds);
}

std::string progress_line(double done, double seconds_left) {
  constexpr std::size_t kBar = 20;
  constexpr double kWhole = 100;
  const double part = std::clamp(done, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(kBar));
  return fmt::format("[{}{}] {:.0f} %, {:.0f} s left", std::string(filled, '#'),
                     std::string(kBar - filled, '.'), kWhole * part,
                     std::ceil(std::max(0.0, seconds_left)));
}

ProgressBar::ProgressBar(std::FILE* file) : file_(file), is_terminal_(isatty(fileno(file)) == 1) {}

void ProgressBar::show(double done, double seconds_left) {
  if (is_terminal_) {
    fmt::print(file_, "\r{}\033[K", progress_line(done, seconds_left));
    std::fflush(file_);
    is_there_ = true;
  }
}

void ProgressBar::clear() {
  if (is_there_) {
    std::fputs("\r\033[K", file_);
    std::fflush(file_);
    is_there_ = false;
  }
}

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
