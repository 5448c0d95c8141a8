// SPDX-License-Identifier: BSD-3-Clause
#include "cli/map/result.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "mapping/order_text.hpp"

namespace nestbind::cli::map {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which they are added
using mapping::Method;

const char* word_of(Method method) {
  return method == Method::kMapper ? "scotch" : method == Method::kGreedy ? "greedy" : "plain";
}

const char* told(Method method) {
  return method == Method::kMapper   ? "by SCOTCH, members exchanged behind it"
         : method == Method::kGreedy ? "by own greedy, members exchanged behind it"
                                     : "by exchanging members";
}

// How much of the cost is left.
std::string left(const mapping::Mapping& mapping) {
  return fmt::format("{:.1f} %", 100 * mapping.cost / mapping.cost_before);
}

std::string costs(const mapping::Mapping& mapping) {
  std::string text = fmt::format("cost as planned     {:.6g}\n", mapping.cost_before);
  if (mapping.order.is_plain()) {
    return text + "no order that costs less was found\n";
  }
  return text + fmt::format("cost in this order  {:.6g}: {} of that; {}\n", mapping.cost,
                            left(mapping), told(mapping.method));
}

}  // namespace

std::string text_of(const Result& result) {
  return fmt::format("{}\n{}\n{} threads, {} pairs of them talk to each other, weight {:.6g}\n{}",
                     result.spec, result.summary, result.threads, result.pairs, result.weight,
                     costs(result.mapping)) +
         (result.mapping.order.is_plain() ? ""
                                          : "\n" + mapping::print_order(result.mapping.order, {}));
}

std::string json_of(const Result& result) {
  Json object;
  object["spec"] = result.spec;
  object["machine"] = result.summary;
  object["threads"] = result.threads;
  object["pairs"] = result.pairs;
  object["weight"] = result.weight;
  object["cost_before"] = result.mapping.cost_before;
  object["cost"] = result.mapping.cost;
  object["method"] = word_of(result.mapping.method);
  object["scotch"] = result.has_scotch && !result.mapping.has_refused;
  object["order"] = Json::array();
  for (const auto& [master, seats] : result.mapping.order.teams()) {
    object["order"].push_back({{"master", master}, {"seats", seats}});
  }
  return object.dump() + "\n";
}

std::string file_of(const Result& result) {
  return mapping::print_order(
      result.mapping.order, {"order of nestbind map, for " + result.spec + " on " + result.summary,
                             fmt::format("cost {:.6g} as planned, {:.6g} in this order",
                                         result.mapping.cost_before, result.mapping.cost)});
}

}  // namespace nestbind::cli::map
