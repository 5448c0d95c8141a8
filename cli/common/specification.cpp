// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/specification.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "cli/common/asked_machine.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/inspect/text.hpp"
#include "cli/subcommand.hpp"
#include "mapping/order_text.hpp"
#include "options/said_sizes.hpp"
#include "options/table.hpp"
#include "plan/team_plan.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

std::string meant_by(const std::string& text, const spec::Fault& fault) {
  if (fault.error != NESTBIND_BAD_STRATEGY && fault.error != NESTBIND_BAD_SIZE &&
      fault.error != NESTBIND_BAD_DOMAIN) {
    return {};
  }
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::string word;
  for (std::size_t i = fault.position; i < text.size() && is_letter(text[i]); ++i) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  std::vector<std::string> words;
  for (int i = 0; i < spec::kStrategies && fault.error == NESTBIND_BAD_STRATEGY; ++i) {
    words.emplace_back(spec::name(static_cast<spec::Strategy>(i)));
  }
  for (int i = 0; i < spec::kKinds; ++i) {
    const auto kind = static_cast<spec::Kind>(i);
    const bool is_size = fault.error == NESTBIND_BAD_SIZE && spec::may_be_size(kind);
    const bool is_domain = fault.error == NESTBIND_BAD_DOMAIN && spec::may_be_domain(kind);
    if (is_size || is_domain) {
      words.emplace_back(spec::name(kind));
    }
  }
  return nearest(word, words);
}

bool is_shape(const std::string& text) {
  return text.find('x') != std::string::npos &&
         text.find_first_not_of("0123456789x") == std::string::npos;
}

}  // namespace

std::string parse(const std::string& text, spec::Spec& spec) {
  spec::Fault fault;
  char message[1024];
  if (spec::parse(text, spec, fault)) {
    return "";
  }
  const std::string meant = meant_by(text, fault);
  std::string lines(message, spec::describe(text, fault, message, sizeof message));
  if (!meant.empty()) {
    lines.insert(std::min(lines.find('\n'), lines.size()), "; did you mean " + meant + "?");
  }
  return lines;
}

bool read_specification(const std::string& text, spec::Spec& spec) {
  const std::string fault = parse(text, spec);
  if (!fault.empty()) {
    say_printable("bad specification, " + fault);
    if (is_shape(text)) {
      remark("nestbind suggest {} names specifications for teams of these sizes", text);
    }
  }
  return fault.empty();
}

std::optional<std::vector<int>> read_shape(const std::string& text) {
  std::vector<int> shape;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end || shape.empty()) {
    int size = 0;
    const auto [behind, error] = std::from_chars(at, end, size);
    const bool is_last = behind == end;
    const bool is_cross = !is_last && (*behind == 'x' || *behind == 'X') && behind + 1 != end;
    if (error != std::errc() || size < 1 || size > spec::kMaxThreads || !(is_last || is_cross) ||
        shape.size() == spec::kMaxLevels) {
      return std::nullopt;
    }
    shape.push_back(size);
    at = is_last ? end : behind + 1;
  }
  return shape;
}

std::vector<int> shape_of_variable() {
  options::UsersValue room;  // a shell under nestbind run has the specification's sizes there
  const char* const users = options::users_value(options::kThreads, room);
  std::string list = users == nullptr ? "" : users;
  std::erase_if(list, [](unsigned char character) { return std::isblank(character) != 0; });
  std::ranges::replace(list, ',', 'x');
  const auto shape = read_shape(list);
  const bool has_teams = shape && std::ranges::any_of(*shape, [](int size) { return size > 1; });
  return has_teams ? *shape : std::vector<int>();
}

std::string specification_of_words(const std::string& first,
                                   const std::vector<std::string>& others) {
  constexpr std::size_t kMostWords = 16;
  for (const char* between : {" ", ", "}) {
    std::string text = first;
    for (std::size_t i = 0; i < std::min(others.size(), kMostWords); ++i) {
      spec::Spec unused;
      text += between + others[i];
      if (parse(text, unused).empty()) {
        return text;
      }
    }
  }
  return {};
}

void add_shape(CLI::App& command, std::string& text) {
  add_option(command, "--shape", "SHAPE", text,
             "Sizes of the teams that the program forks, such as 4x4; by default the "
             "specification's sizes, and the number of cores for *");
}

bool read_shape_of(const std::string& text, const std::vector<spec::Spec>& specs,
                   std::vector<int>& shape) {
  const auto read = text.empty() ? std::optional(std::vector<int>()) : read_shape(text);
  if (!read) {
    say("--shape {}: expected the team sizes of the levels, such as 4x4 or 16", text);
    return false;
  }
  shape = *read;
  const bool is_deeper = std::ranges::any_of(specs, [&](const spec::Spec& spec) {
    return !spec.is_auto && static_cast<int>(shape.size()) > spec.levels;
  });
  if (is_deeper) {
    say("--shape {} has more levels than the specification", text);
  }
  return !is_deeper;
}

std::string fault_of_order(const std::string& file, plan::Order& order) {
  std::string text;
  const int error = support::read_user_file(file.c_str(), mapping::kLargestOrder,
                                            support::Streams::kRefused, text);
  if (error != 0) {
    return printable(file) + ": " + support::why_unread(error);
  }
  mapping::Fault fault;
  if (mapping::parse_order(text, order, fault)) {
    return "";
  }
  return printable(file) + ", " + mapping::describe(text, fault);
}

bool read_order(const std::string& file, plan::Order& order) {
  const std::string fault = file.empty() ? "" : fault_of_order(file, order);
  if (!fault.empty()) {
    say_printable(fault);
  }
  return fault.empty();
}

void warn_of_order(const std::string& file, const plan::Order& order, const spec::Spec& spec,
                   const AskedMachine& asked) {
  if (order.is_plain()) {
    return;
  }
  plan::Plan plan = plan::make(spec, asked.topology, asked.smt, asked.cores, order, asked.quota);
  const std::string unused = mapping::unused_in(order, plan);
  if (!unused.empty()) {
    warn("{} {}", file, unused);
  }
}

}  // namespace nestbind::cli
