// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/request.hpp"

#include <string_view>

#include "options/table.hpp"
#include "spec/spec.hpp"

namespace nestbind::slurm {

namespace {

constexpr std::size_t kMessage = 1024;

std::string canonical(const spec::Spec& spec) {
  std::string text(spec::kMaxText, '\0');
  text.resize(spec::print(spec, text.data(), text.size()));
  return text;
}

}  // namespace

std::string take_specification(const char* text, Request& request) {
  const std::string_view given = text == nullptr ? "" : text;
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse(given, spec, fault)) {
    char message[kMessage];
    const std::size_t length = spec::describe(given, fault, message, sizeof message);
    return "bad specification, " + std::string(message, length);
  }
  request.specification = canonical(spec);
  request.levels = spec.levels;
  return {};
}

std::string take_report(const char* value, Request& request) {
  const options::Rule& rule = options::kTable[options::kReport].rule;
  options::Settings unused;
  if (value == nullptr || !options::take(rule, value, unused)) {
    return std::string("bad report, expected ") + options::expected(rule).text;
  }
  request.report = value;
  return {};
}

}  // namespace nestbind::slurm
