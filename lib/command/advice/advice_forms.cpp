// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "advice/explanation.hpp"
#include "show/texts.hpp"

namespace nestbind::advice {

namespace {

constexpr int kTopic = 10;

void put(std::string& out, const std::string& topic, const std::string& text, int width) {
  if (!text.empty()) {
    out += show::wrapped(fmt::format("  {:<{}}{}", topic, kTopic, text), width, 2 + kTopic) + "\n";
  }
}

// Adds a line without wrapping, because users may copy it.
void put_line(std::string& out, const std::string& line) { out += "    " + line + "\n"; }

const char* name(Runtime runtime) { return runtime == Runtime::kGnu ? "GCC's" : "LLVM's"; }

bool is_same(const Equivalent& a, const Equivalent& b) {
  return a.tool == b.tool && a.is_equal == b.is_equal && a.line == b.line && a.reason == b.reason;
}

void put_equivalent(std::string& out, const Equivalent& row, const std::string& whose, int width) {
  const std::string head = fmt::format("{}, {} runtime: ", row.tool, whose);
  if (row.is_equal) {
    out += "  " + head + "the same\n";
    put_line(out, row.line);
  } else {
    out += show::wrapped("  " + head + "not the same: " + row.reason, width, 2) + "\n";
  }
}

void put_equivalents(std::string& out, const std::vector<OfRuntime>& all, int width) {
  const std::vector<Equivalent>& first = all.front().rows;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool is_one = all.size() > 1 && is_same(first[i], all.back().rows[i]);
    for (const OfRuntime& of : all) {
      if (!is_one) {
        put_equivalent(out, of.rows[i], name(of.runtime), width);
      }
    }
    if (is_one) {
      put_equivalent(out, first[i], "GCC's and LLVM's", width);
    }
  }
}

using Json = nlohmann::ordered_json;

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

std::string text_of(const Explanation& explanation, int width) {
  std::string text = fmt::format("{}; {}\n", explanation.machine, explanation.spec);
  int number = 0;
  for (const LevelWords& level : explanation.levels) {
    text += fmt::format("\nlevel {}: {}\n", ++number, level.rule);
    put(text, "where", level.where, width);
    put(text, "shares", level.shares, width);
    put(text, "apart", level.apart, width);
    put(text, "beyond", level.beyond, width);
  }
  text += "\nthe whole\n";
  put(text, "fits", explanation.fit, width);
  put(text, "idle", explanation.idle, width);
  if (!explanation.equivalents.empty() && !explanation.equivalents.front().rows.empty()) {
    text += "\nthe same without nestbind\n";
    put_equivalents(text, explanation.equivalents, width);
  }
  return text;
}

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
