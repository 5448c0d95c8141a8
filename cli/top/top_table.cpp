// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/common/printable.hpp"
#include "cli/top/view.hpp"
#include "mask/cpu_list.hpp"

namespace nestbind::cli::top {

namespace {

std::string path_of(const Row& row) {
  const std::string path = fmt::format(
      "{}{}", row.root < 0 ? "" : fmt::format("root {}, ", row.root), fmt::join(row.path, "."));
  return !row.is_placed ? "-" : row.is_cut && path.size() > 1 ? path + ".." : path;
}

std::string share_of(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f}%", *share) : "-";
}

std::string or_none(int number) { return number < 0 ? "-" : std::to_string(number); }

struct Note {
  std::string text;
  bool is_warning = false;
};

Note note_of(const Row& row) {
  if (!row.is_placed) {
    return {};
  }
  if (row.wandered == Wandered::kMask) {
    return {"wandered: it may run on " + mask::list(row.allowed), true};
  }
  if (row.wandered == Wandered::kProcessor) {
    return {fmt::format("wandered: it was on {}", row.processor), true};
  }
  if (!row.is_bound) {
    return {"not bound: the system refused", true};
  }
  return {row.sharing > 0  ? fmt::format("shared with {}", row.sharing)
          : !row.is_pinned ? "anywhere in its share"
                           : "",
          false};
}

struct Column {
  const char* heading;
  bool is_left;
  std::string (*value)(const Row& row);
};
constexpr Column kColumns[] = {
    {"PATH", true, path_of},
    {"THREAD", false, [](const Row& row) { return std::to_string(row.thread); }},
    {"PLANNED", false,
     [](const Row& row) { return row.is_placed ? mask::list(row.planned) : "-"; }},
    {"ALLOWED", false, [](const Row& row) { return mask::list(row.allowed); }},
    {"ON", false, [](const Row& row) { return or_none(row.processor); }},
    {"NODE", false, [](const Row& row) { return or_none(row.node); }},
    {"SHARE", false, [](const Row& row) { return share_of(row.share); }},
    {"S", true, [](const Row& row) { return std::string(1, row.state); }},
    {"NAME", true, [](const Row& row) { return printable(row.name); }},
};

constexpr std::size_t kWidest = 24;

std::string cut(const std::string& text) {
  return text.size() > kWidest ? text.substr(0, kWidest - 2) + ".." : text;
}

std::string padded(const std::string& text, std::size_t width, bool is_left) {
  return is_left ? fmt::format("{:<{}}", text, width) : fmt::format("{:>{}}", text, width);
}

std::string size_of(std::uint64_t kib) {
  constexpr double kMib = 1024;
  return fmt::format("{:.1f} MiB", static_cast<double>(kib) / kMib);
}

TextLine nodes_of(const Block& block) {
  std::string text;
  std::vector<int> nodes;
  nodes.reserve(block.threads_by_node.size());
  for (const auto& [node, threads] : block.threads_by_node) {
    nodes.push_back(node);
  }
  for (const auto& [node, kib] : block.pages.value_or(Pages{})) {
    nodes.push_back(node);
  }
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  for (const int node : nodes) {
    const auto threads = block.threads_by_node.find(node);
    const int count = threads == block.threads_by_node.end() ? 0 : threads->second;
    text += text.empty() ? "" : "; ";
    text += fmt::format("{}: {} thread{}", node < 0 ? "no node" : fmt::format("node {}", node),
                        count, count == 1 ? "" : "s");
    if (block.pages) {
      const auto pages = block.pages->find(node);
      text += ", " + size_of(pages == block.pages->end() ? 0 : pages->second);
    }
  }
  return {{text, Style::kPlain}};
}

std::string summary_of(const Block& block) {
  const auto placed = std::ranges::count_if(block.rows, &Row::is_placed);
  const auto wandered = std::ranges::count_if(
      block.rows, [](const Row& row) { return row.wandered != Wandered::kNo; });
  std::string text =
      block.is_published
          ? fmt::format("{}; {} of {} threads placed", printable(block.spec), placed,
                        block.rows.size())
          : fmt::format("the process does not publish its places; {} threads", block.rows.size());
  text += block.tree_size > 0 ? fmt::format("; process {} of {} that divide the processors",
                                            block.tree_number, block.tree_size)
                              : "";
  text += wandered > 0 ? fmt::format(", {} wandered", wandered) : "";
  text += block.share ? fmt::format("; {} of a processor", share_of(block.share)) : "";
  text +=
      block.is_published ? "" : fmt::format("; nestbind doctor --pid {} says why", block.process);
  text += block.not_shown > 0 ? "; the process has more threads than it can publish" : "";
  return text;
}

using Json = nlohmann::ordered_json;

Json number_or_null(int number) { return number < 0 ? Json(nullptr) : Json(number); }
Json in_tenths(const std::optional<double>& share) {
  return share ? Json(static_cast<double>(std::lround(*share * 10)) / 10) : Json(nullptr);
}

Json object_of(const Row& row) {
  constexpr const char* kWandered[] = {"no", "mask", "processor"};
  const auto told = [&](Json value) { return row.is_placed ? std::move(value) : Json(nullptr); };
  Json object;
  object["thread"] = row.thread;
  object["name"] = row.name;
  object["root"] = row.root < 0 ? Json(nullptr) : Json(row.root);
  object["path"] = told(row.path);
  object["planned"] = told(row.planned);
  object["slot"] = told(row.slot);
  object["bound"] = told(row.is_bound);
  object["pinned"] = told(row.is_pinned);
  object["sharing"] = told(row.sharing);
  object["allowed"] = row.allowed;
  object["processor"] = number_or_null(row.processor);
  object["node"] = number_or_null(row.node);
  object["state"] = std::string(1, row.state);
  object["share"] = in_tenths(row.share);
  object["wandered"] = told(kWandered[static_cast<int>(row.wandered)]);
  return object;
}

Json object_of(const Block& block) {
  Json object;
  object["process"] = block.process;
  object["command"] = block.command;
  object["ended"] = block.has_ended;
  object["published"] = block.is_published;
  object["spec"] = block.is_published ? Json(block.spec) : Json(nullptr);
  object["tree"] = block.tree_size > 0
                       ? Json{{"number", block.tree_number}, {"of", block.tree_size}}
                       : Json(nullptr);
  object["not_shown"] = block.not_shown;
  object["share"] = in_tenths(block.share);
  object["pages"] = nullptr;
  if (block.pages) {
    object["pages"] = Json::object();
    for (const auto& [node, kib] : *block.pages) {
      object["pages"][std::to_string(node)] = kib;
    }
  }
  object["threads"] = Json::array();
  for (const Row& row : block.rows) {
    object["threads"].push_back(object_of(row));
  }
  return object;
}

}  // namespace

std::vector<TextLine> title_of(const Block& block) {
  std::vector<TextLine> lines;
  lines.push_back({{fmt::format("process {}", block.process), Style::kTitle},
                   {"  " + printable(block.command), Style::kPlain}});
  if (block.has_ended) {
    lines.push_back({{"it has ended", Style::kWarning}});
    return lines;
  }
  lines.push_back({{summary_of(block), Style::kPlain}});
  lines.push_back(nodes_of(block));
  return lines;
}

std::vector<TextLine> table_of(const Block& block) {
  std::vector<TextLine> lines;
  if (block.rows.empty()) {
    return lines;
  }
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  TextLine headings{{"", Style::kHeading}};
  for (const Column& column : kColumns) {
    std::size_t width = std::string(column.heading).size();
    std::vector<std::string>& values = cells.emplace_back();
    for (const Row& row : block.rows) {
      values.push_back(cut(column.value(row)));
      width = std::max(width, values.back().size());
    }
    widths.push_back(width);
    headings[0].text += padded(column.heading, width, column.is_left) + "  ";
  }
  headings[0].text += "NOTE";
  lines.push_back(std::move(headings));
  for (std::size_t i = 0; i < block.rows.size(); ++i) {
    const Row& row = block.rows[i];
    TextLine line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const bool is_path = column == 0 && row.is_placed && !row.path.empty();
      const std::string& text = cells[column][i];
      const std::string whole = padded(text, widths[column], kColumns[column].is_left);
      if (is_path) {
        line.push_back({text, Style::kPlain, row.path[0]});
        line.push_back({whole.substr(text.size()) + "  "});
      } else {
        line.push_back({whole + "  ", row.is_placed ? Style::kPlain : Style::kFaint});
      }
    }
    const Note note = note_of(row);
    line.push_back({note.text, note.is_warning ? Style::kWarning : Style::kPlain});
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string text_of(const std::vector<TextLine>& lines) {
  std::string text;
  for (const TextLine& line : lines) {
    for (const Part& part : line) {
      text += part.text;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string json_of(const std::vector<Block>& blocks) {
  Json object;
  object["processes"] = Json::array();
  for (const Block& block : blocks) {
    object["processes"].push_back(object_of(block));
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nestbind::cli::top
