// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands.hpp"

#include <algorithm>

namespace nestbind::cli {

namespace {

// A subcommand is one line here.
constexpr struct {
  const char* name;
  void (*add)(CLI::App& app, Call& call);
} kSubcommands[] = {
    {"run", add_run},         {"plan", add_plan},         {"explain", add_explain},
    {"suggest", add_suggest}, {"topology", add_topology}, {"doctor", add_doctor},
    {"trace", add_trace},     {"top", add_top},           {"tune", add_tune},
    {"memory", add_memory},   {"map", add_map},           {"balance", add_balance},
    {"probe", add_probe},     {"lines", add_lines},       {"job", add_job},
};

}  // namespace

void add_subcommands(CLI::App& app, const std::string& first_word, Call& call) {
  const auto names = subcommand_names();
  const bool is_one = std::ranges::find(names, first_word) != names.end();
  for (const auto& [name, add] : kSubcommands) {
    if (!is_one || first_word == name) {
      add(app, call);
    }
  }
}

std::vector<std::string> subcommand_names() {
  std::vector<std::string> names;
  for (const auto& [name, add] : kSubcommands) {
    names.emplace_back(name);
  }
  return names;
}

}  // namespace nestbind::cli
