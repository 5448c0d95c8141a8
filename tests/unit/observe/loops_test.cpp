// SPDX-License-Identifier: BSD-3-Clause
// Tests the exact text of the report's section on loops.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <climits>
#include <string>

#include "helpers/captured.hpp"
#include "helpers/fresh_process.hpp"
#include "observe/loops_report.hpp"

using namespace nestbind;

namespace {

std::string host() {
  char name[HOST_NAME_MAX + 1] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

constexpr observe::LoopSeen kLoops[] = {{.function = "solve._omp_fn.0",
                                         .in_function = 0x1c,
                                         .module = "/opt/a \"b\"\n",
                                         .in_module = 0x12ab,
                                         .build_id = "0123abcd",
                                         .threads = 16,
                                         .teams = 2,
                                         .executions = 200,
                                         .iterations = 3000,
                                         .fraction = 7500,
                                         .chunk = 8,
                                         .of_block = 2250,
                                         .of_own_queue = 600,
                                         .stolen_in_cache = 100,
                                         .stolen_in_node = 49,
                                         .stolen_elsewhere = 1,
                                         .imbalance = 105,
                                         .measured = 150,
                                         .time = 98765432,
                                         .lost = 12345678},
                                        {.in_module = 0xffff,
                                         .threads = 2,
                                         .teams = 1,
                                         .executions = 1,
                                         .iterations = ~std::uint64_t{0},
                                         .fraction = 5079,
                                         .chunk = 1,
                                         .of_block = ~std::uint64_t{0},
                                         .has_shared_queue = true}};

constexpr char kHeadings[] =
    "  threads  teams executions   iterations      f   chunk  static    own  cache   node  other  "
    "imbalance measured  time, ms  lost, ms  loop\n";

void report(const observe::LoopsSeen& seen) { observe::report_loops(seen); }

}  // namespace

TEST_CASE("loops are reported as text") {
  fresh::process({{"NESTBIND_REPORT", "text"}, {"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    const std::string heading = "nestbind: loops of process " + std::to_string(getpid()) + " on " +
                                host() + ", schedule hybrid,f=0.75\n";
    {
      const fresh::Captured said;
      report({.schedule = "hybrid,f=0.75", .has_places = true, .loops = kLoops, .count = 2});
      CHECK(said.text() ==
            heading + kHeadings +
                "       16      2        200         3000   0.75       8    75.0   20.0    3.3    "
                "1.6    0.0       1.05      150      98.8      12.3  solve._omp_fn.0+0x1c, /opt/a "
                "?b??+0x12ab\n"
                "        2      1          1 18446744073709551615 0.5079       1   100.0      -    "
                "0.0    0.0    0.0          -        0       0.0       0.0  ?+0xffff\n");
    }
    {
      const fresh::Captured said;
      report({.schedule = "hybrid,f=0.75",
              .runtime_was_chosen = true,
              .some_left_out = true,
              .loops = kLoops,
              .count = 1});
      CHECK(said.text() ==
            heading +
                "nestbind: the program has called omp_set_schedule: its schedule wins for loops "
                "with schedule(runtime) in the regions of the calling task\n"
                "nestbind: without a specification the near threads are not known, so stolen "
                "chunks are in \"other\"\n" +
                kHeadings +
                "       16      2        200         3000   0.75       8    75.0   20.0    3.3    "
                "1.6    0.0       1.05      150      98.8      12.3  solve._omp_fn.0+0x1c, /opt/a "
                "?b??+0x12ab\n"
                "nestbind: there were too many loops, so some are not in the table\n");
    }
    const fresh::Captured said;
    report({.schedule = "hybrid,f=0.75"});
    CHECK(said.text() ==
          heading +
              "nestbind: no loop was taken: only loops with schedule(runtime), with loops=dynamic "
              "also (dynamic) and (guided), are taken, and none with ordered; see "
              "nestbind-loops(7)\n");
    {
      const fresh::Captured others;
      report({.schedule = "hybrid,f=0.75", .takes_dynamic = true});
      CHECK(others.text() == heading +
                                 "nestbind: no loop was taken: only loops with schedule(runtime), "
                                 "(dynamic) or (guided) are taken, and none with ordered; see "
                                 "nestbind-loops(7)\n");
    }
    const fresh::Captured unseen;
    report({.schedule = "hybrid,f=0.75", .unseen = "is on a runtime of its own"});
    CHECK(unseen.text() == heading +
                               "nestbind: the program is on a runtime of its own\n"
                               "nestbind: no loop was taken; see nestbind-loops(7)\n");
  });
}

TEST_CASE("owned blocks are reported as text and as JSON") {
  constexpr observe::LoopSeen kOwned[] = {{.in_module = 0xaa, .threads = 2, .teams = 1},
                                          {.in_module = 0xbb,
                                           .threads = 16,
                                           .teams = 3,
                                           .had_owners = true,
                                           .fraction = 7500,
                                           .chunk = 8,
                                           .blocks = 192,
                                           .looks = 12,
                                           .migrations = 33,
                                           .imbalance_before = 337,
                                           .imbalance_after = 108,
                                           .block_runs = 2000,
                                           .remote_runs = 250},
                                          {.in_module = 0xcc, .threads = 4, .blocks = 48}};
  const observe::LoopsSeen seen = {.schedule = "balanced", .loops = kOwned, .count = 3};
  support::TextBuffer text;
  observe::add_loops_text(seen, text);
  const std::string all = text.text();
  CHECK(all.substr(all.find("nestbind: blocks")) ==
        "nestbind: blocks with owners\n"
        "  threads  teams  blocks  looks migrations  before  after  remote  loop\n"
        "       16      3     192     12         33    3.37   1.08    12.5  ?+0xbb\n"
        "        4      0      48      0          0       -      -       -  ?+0xcc\n");
  // The table has no figures of unused schedules.
  CHECK(all.find("       16      3          0            0      -       -") != std::string::npos);
  CHECK(all.find("        4      0          0            0   0.00       0") != std::string::npos);
  support::TextBuffer json;
  observe::add_loops_json(seen, json);
  const std::string objects = json.text();
  CHECK(objects.find("\"f\": null, \"chunk\": null") != std::string::npos);
  CHECK(objects.find("\"f\": 0.00, \"chunk\": 0") != std::string::npos);
  CHECK(objects.find("\"lost_ns\": 0}, {") != std::string::npos);
  CHECK(objects.find("\"lost_ns\": 0, \"blocks\": 192, \"looks\": 12, \"migrations\": 33, "
                     "\"imbalance_before\": 3.37, \"imbalance_after\": 1.08, \"remote_runs\": "
                     "250, \"block_runs\": 2000}") != std::string::npos);
  CHECK(objects.find("\"imbalance_before\": null, \"imbalance_after\": null, \"remote_runs\": "
                     "null, \"block_runs\": 0}") != std::string::npos);
}

TEST_CASE("loops are reported as JSON") {
  fresh::process({{"NESTBIND_REPORT", "json"}, {"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    const fresh::Captured said;
    report({.schedule = "hybrid", .loops = kLoops, .count = 2});
    CHECK(
        said.text() ==
        "{\"schedule\": \"hybrid\", \"process\": " + std::to_string(getpid()) + ", \"host\": \"" +
            host() +
            "\", \"rank\": null, \"omp_set_schedule\": false, \"places\": false, \"complete\": "
            "true, \"reason\": null, \"loops\": ["
            "{\"function\": \"solve._omp_fn.0\", \"in_function\": 28, \"module\": \"/opt/a "
            "\\\"b\\\"\\u000a\", \"in_module\": 4779, \"build_id\": \"0123abcd\", \"threads\": 16, "
            "\"teams\": "
            "2, \"executions\": 200, "
            "\"iterations\": 3000, \"f\": 0.75, \"chunk\": 8, \"static\": 2250, \"own\": 600, "
            "\"stolen_in_cache\": 100, \"stolen_in_node\": 49, \"stolen_elsewhere\": 1, "
            "\"imbalance\": 1.05, \"measured\": 150, \"time_ns\": 98765432, \"lost_ns\": "
            "12345678}, "
            "{\"function\": null, \"in_function\": 0, \"module\": null, \"in_module\": 65535, "
            "\"build_id\": null, \"threads\": 2, \"teams\": 1, \"executions\": 1, \"iterations\": "
            "18446744073709551615, \"f\": 0.5079, \"chunk\": 1, \"static\": 18446744073709551615, "
            "\"own\": null, \"stolen_in_cache\": 0, \"stolen_in_node\": 0, \"stolen_elsewhere\": "
            "0, "
            "\"imbalance\": null, \"measured\": 0, \"time_ns\": 0, \"lost_ns\": 0}]}\n");
  });
}

TEST_CASE("JSON has the names of files, with bad bytes replaced") {
  struct {
    const char* name;
    const char* json;
  } const names[] = {
      {"/a/m\xc3\xa9t\xc3\xa9o", "/a/m\xc3\xa9t\xc3\xa9o"},
      {"\xe2\x82\xac \xed\x9f\xbf \xee\x80\x80", "\xe2\x82\xac \xed\x9f\xbf \xee\x80\x80"},
      {"\xf0\x9f\x8c\x8a\xf4\x8f\xbf\xbf", "\xf0\x9f\x8c\x8a\xf4\x8f\xbf\xbf"},
      {"\\ \" / ~\x7f\t\x1f", "\\\\ \\\" / ~\\u007f\\u0009\\u001f"},
      {"m\xe9t\xe9o", "m\\ufffdt\\ufffdo"},                             // Latin 1
      {"\x80\xff", "\\ufffd\\ufffd"},                                   // cannot begin a character
      {"\xc0\xaf\xe0\x9f\xbf", "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd"},  // not the shortest form
      {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},                        // a surrogate
      {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},             // after the last character
      {"\xf0\x9f\x8c", "\\ufffd\\ufffd\\ufffd"},                        // cut off
  };
  for (const auto& [name, json] : names) {
    const observe::LoopSeen loop = {.module = name, .build_id = "01"};
    support::TextBuffer text;
    observe::add_loops_json({.schedule = "hybrid", .loops = &loop, .count = 1}, text);
    INFO(text.text());
    CHECK(fresh::count(text.text(), "\"module\": \"" + std::string(json) + "\", \"in_module\"") ==
          1);
  }
}

TEST_CASE("JSON has the reason if no loops can be seen") {
  fresh::process({{"NESTBIND_REPORT", "json"}, {"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    const fresh::Captured said;
    report({.schedule = "hybrid", .unseen = "contains \"its\" runtime"});
    CHECK(fresh::count(said.text(),
                       "\"reason\": \"contains \\\"its\\\" runtime\", \"loops\": []}\n") == 1);
  });
}

TEST_CASE("loops are not reported if nobody asks for a report") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    const fresh::Captured said;
    report({.schedule = "hybrid", .loops = kLoops, .count = 2});
    CHECK(said.text().empty());
  });
}
