// SPDX-License-Identifier: BSD-3-Clause
// Tests the table, JSON, picture and progress of results.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <tuple>

#include "cli/probe/probe_forms.hpp"

using namespace nestbind::cli::probe;
using nestbind::probe::Found;
using namespace std::string_literals;

namespace {

nestbind::probe::Measured measured(double ns, bool is_reliable = true) {
  return {.ns = ns,
          .slowest = ns,
          .p90 = 2 * ns,
          .parts = {ns, ns + 1},
          .batches = 32,
          .is_reliable = is_reliable};
}

Found made() {
  Found found;
  found.cores = {0, 1, 2, 3};
  found.kind_of = {{-1, 0, 1, 1}, {0, -1, 1, 1}, {1, 1, -1, 0}, {1, 1, 0, -1}};
  found.kinds = {{.name = "same L3",
                  .all = 2,
                  .pairs = {{{0, 1}, measured(50)}, {{2, 3}, measured(52)}},
                  .ns = 51,
                  .number = 0},
                 {.name = "nodes 0 and 1",
                  .all = 4,
                  .pairs = {{{0, 2}, measured(130)}, {{1, 3}, measured(140, false)}},
                  .ns = 134.9,
                  .number = 1}};
  found.nodes = {{.row = 0, .number = 0, .processors = {0, 1}},
                 {.row = 4, .number = 1, .processors = {2, 3}}};
  found.matrix = {{{.ns = 90,
                    .factor = 1,
                    .gigabytes = 20,
                    .number = 0,
                    .is_read_reliable = true,
                    .is_bandwidth_reliable = true},
                   {.ns = 135,
                    .factor = 1.5,
                    .gigabytes = 9,
                    .number = 1,
                    .is_read_reliable = true,
                    .is_bandwidth_reliable = true}},
                  {{.ns = 144,
                    .factor = 1.6,
                    .gigabytes = 8.5,
                    .number = 1,
                    .is_read_reliable = true,
                    .is_bandwidth_reliable = true},
                   {.ns = 90,
                    .factor = 1,
                    .gigabytes = 21,
                    .number = 0,
                    .is_read_reliable = true,
                    .is_bandwidth_reliable = true}}};
  found.patterns = {{.name = "1 hop",
                     .pairs = 2,
                     .exchanges = {{.bytes = 64,
                                    .alone = 130,
                                    .together = 195,
                                    .slowest = 210,
                                    .gigabytes = 1.31,
                                    .is_reliable = true},
                                   {.bytes = 1 << 20,
                                    .alone = 200000,
                                    .together = 500000,
                                    .slowest = 510000,
                                    .gigabytes = 8.39,
                                    .is_reliable = false}}}};
  found.kind_classes = 2;
  found.node_classes = 2;
  found.least_batches = 32;
  found.most_batches = 64;
  found.numbers = 20;
  found.unreliable = 2;
  found.seconds = 3.25;
  return found;
}

// Returns the rest of a line that begins with these words, with any blanks between them.
std::optional<std::string> behind(const std::string& row, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string joined;
    for (std::string word; words >> word;) {
      joined += word + " ";
    }
    if (joined.starts_with(row + " ")) {
      return joined.substr(row.size() + 1);
    }
  }
  return std::nullopt;
}

bool has_row(const std::string& text, const std::string& row) { return behind(row, text) == ""; }

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("the table has all measurements") {
  const std::string text = table_of(made());
  INFO(text);
  for (const char* row :
       {"same L3 2 of 2 51.0 50.0 to 52.0", "node 0 1", "0 90.0 135", "1 144 90.0", "0 1.00 1.50",
        "1 1.60 1.00", "0 20.0 9.00", "1 8.50 21.0", "1 hop 2 64 B 130 195 1.50 210 1.31"}) {
    INFO(row);
    CHECK(has_row(text, row));
  }
  CHECK(behind("nodes 0 and 1 2 of 4 135 130 to 140", text).value_or("") != "");
  CHECK(behind("1 hop 2 1 MiB 200000 500000 2.50 510000 8.39", text).value_or("") != "");
  CHECK(count(text, "32 to 64") == 1);  // batches
  CHECK(count(text, "3.2 s") == 1);
}

TEST_CASE("the table shows the number of classes if there are several") {
  Found found = made();
  found.kind_classes = 7;
  found.node_classes = 8;
  CHECK(count(table_of(found), " 7 ") == 1);
  CHECK(count(table_of(found), " 8 ") == 1);
  found.kind_classes = 1;
  found.node_classes = 1;
  const std::string text = table_of(found);
  const std::size_t end = text.rfind('\n', text.size() - 2);
  const std::size_t begin = text.rfind('\n', end - 1);
  CHECK(text.substr(begin, end - begin).find_first_of("0123456789") == std::string::npos);
}

TEST_CASE("an unreliable number has a mark, and the mark is explained") {
  Found found = made();
  found.matrix[1][0].is_read_reliable = false;
  std::string text = table_of(found);
  CHECK(has_row(text, "1 144? 90.0"));
  CHECK(has_row(text, "1 1.60? 1.00"));
  CHECK(has_row(text, "1 8.50 21.0"));
  CHECK(behind("?", text).value_or("") != "");
  found = made();
  found.matrix[1][0].is_bandwidth_reliable = false;
  text = table_of(found);
  CHECK(has_row(text, "1 144 90.0"));
  CHECK(has_row(text, "1 1.60 1.00"));
  CHECK(has_row(text, "1 8.50? 21.0"));
  CHECK(behind("?", text).value_or("") != "");
}

TEST_CASE("distances of nodes are reliable only if all of them are") {
  Found found = made();
  CHECK(found.has_distances());
  found.matrix[1][0].is_read_reliable = false;
  CHECK_FALSE(found.has_distances());
  found = made();
  found.matrix[1][0].is_bandwidth_reliable = false;  // the bandwidth is shown beside the distances
  CHECK_FALSE(found.has_distances());
  found = made();
  found.node_classes = 1;
  CHECK_FALSE(found.has_distances());
  CHECK(found.has_structure());
}

TEST_CASE("a plan uses one distance for all pairs of a class") {
  Found found;
  found.node_classes = 2;
  found.matrix = {{{.ns = 90, .number = 0}, {.ns = 200, .number = 1}},
                  {{.ns = 220, .number = 1}, {.ns = 100, .number = 0}}};
  const auto distances = distances_of(found);
  CHECK(distances[0][0] == Approx(std::sqrt(9000)));
  CHECK(distances[1][1] == distances[0][0]);
  CHECK(distances[0][1] == Approx(std::sqrt(44000)));
  CHECK(distances[1][0] == distances[0][1]);
}

TEST_CASE("one processor has no pairs") {
  Found found;
  found.cores = {0};
  found.kind_of = {{-1}};
  found.nodes = {{.row = 0, .number = 0, .processors = {0}}};
  found.matrix = {{{.ns = 90,
                    .factor = 1,
                    .gigabytes = 20,
                    .number = 0,
                    .is_read_reliable = true,
                    .is_bandwidth_reliable = true}}};
  found.node_classes = 1;
  const std::string text = table_of(found);
  CHECK(has_row(text, "0 90.0"));
  CHECK(text.find("64") == std::string::npos);  // the size of a round trip's message
  CHECK(count(picture_of(found), "<title>") == 0);
}

TEST_CASE("JSON has all measurements") {
  Found found = made();
  found.matrix[1][0].is_bandwidth_reliable = false;
  const auto json = nlohmann::json::parse(json_of(found));
  CHECK(json["reliable"] == false);
  CHECK(json["structure"] == true);
  CHECK(json["classes"]["pairs"] == 2);
  CHECK(json["kinds"][1]["name"] == "nodes 0 and 1");
  CHECK(json["kinds"][1]["pairs"][1]["second"] == 3);
  CHECK(json["kinds"][1]["pairs"][1]["reliable"] == false);
  CHECK(json["kinds"][0]["pairs"][0]["parts"] == std::vector<double>{50, 51});
  CHECK(json["nodes"]["numbers"] == std::vector<int>{0, 1});
  CHECK(json["nodes"]["logical"] == std::vector<int>{0, 4});
  CHECK(json["nodes"]["ns"][1][0] == 144);
  CHECK(json["nodes"]["factor"][1][0] == 1.6);
  CHECK(json["nodes"]["class"][0][1] == 1);
  using Matrix = std::vector<std::vector<bool>>;
  CHECK(json["nodes"]["reliable"] == Matrix{{true, true}, {false, true}});
  CHECK(json["nodes"]["reliable_ns"] == Matrix{{true, true}, {true, true}});
  CHECK(json["nodes"]["reliable_gigabytes"] == Matrix{{true, true}, {false, true}});
  CHECK(json["patterns"][0]["exchanges"][1]["bytes"] == 1 << 20);
  CHECK(json["patterns"][0]["exchanges"][1]["reliable"] == false);
}

TEST_CASE("the picture has a cell for each pair of cores and of nodes") {
  const std::string text = picture_of(made());
  CHECK(count(text, "<title>") == 4 * 3 + 2 * 2);
  CHECK(text.find("<title>0 to 1: 50.0 ns</title>") != std::string::npos);
  CHECK(text.find("<title>0 to 3: 134.9 ns</title>") != std::string::npos);
  CHECK(text.find("<title>1 to 0: 144.0 ns</title>") != std::string::npos);
  CHECK(text.find("fill=\"#fff7ec\"><title>0 to 1: 50.0 ns") != std::string::npos);
  CHECK(text.find("fill=\"#7f0000\"><title>1 to 3: 140.0 ns") != std::string::npos);
}

TEST_CASE("the progress line shows the percentage and the seconds left") {
  for (const auto& [done, seconds, marks, words] : {std::tuple{0.5, 2.4, 10, "50 %, 3 s"},
                                                    {0.0, 10.0, 0, "0 %, 10 s"},
                                                    {1.0, 0.0, 20, "100 %, 0 s"}}) {
    const std::string line = progress_line(done, seconds);
    CHECK(std::ranges::count(line, '#') == marks);
    CHECK(std::ranges::count(line, '.') == 20 - marks);
    CHECK(count(line, "] "s + words) == 1);
  }
}
