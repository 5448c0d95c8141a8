// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "advice/explanation.hpp"

namespace nestbind::advice {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which they are added

Json level_object(const LevelWords& level) {
  return {{"rule", level.rule},
          {"where", level.where},
          {"shares", level.shares},
          {"apart", level.apart},
          {"beyond", level.beyond}};
}

Json equivalent_object(Runtime runtime, const Equivalent& row) {
  return {{"runtime", runtime == Runtime::kGnu ? "gnu" : "llvm"},
          {"tool", row.tool},
          {"equal", row.is_equal},
          {"line", row.line},
          {"reason", row.reason}};
}

}  // namespace

std::string json_of(const Explanation& explanation) {
  Json object;
  object["machine"] = explanation.machine;
  object["spec"] = explanation.spec;
  object["fit"] = explanation.fit;
  object["idle"] = explanation.idle;
  object["levels"] = Json::array();
  for (const LevelWords& level : explanation.levels) {
    object["levels"].push_back(level_object(level));
  }
  object["equivalents"] = Json::array();
  for (const OfRuntime& of : explanation.equivalents) {
    for (const Equivalent& row : of.rows) {
      object["equivalents"].push_back(equivalent_object(of.runtime, row));
    }
  }
  return object.dump(1) + "\n";
}

}  // namespace nestbind::advice
