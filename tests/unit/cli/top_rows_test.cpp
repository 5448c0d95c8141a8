// SPDX-License-Identifier: BSD-3-Clause
// Tests the rows that `nestbind top` shows for two samples.
#include <catch2/catch.hpp>

#include "cli/top/rows.hpp"
#include "cli/top/view.hpp"

using namespace nestbind::cli::top;

namespace {

ThreadSample thread(int number, std::uint64_t ticks, int processor, std::vector<int> cpus) {
  ThreadSample sample{.thread = number, .stat = {}, .cpus = std::move(cpus)};
  sample.stat.name = "program";
  sample.stat.state = 'R';
  sample.stat.ticks = ticks;
  sample.stat.start = 1000;
  sample.stat.processor = processor;
  return sample;
}

Placed placed(int number, std::vector<int> path, std::vector<int> cpus) {
  Placed place;
  place.thread = number;
  place.path = std::move(path);
  place.cpus = std::move(cpus);
  place.slot = place.cpus[0];
  place.since = 20'000'000'000;  // ticks 2000
  return place;
}

// 2x2 threads on processors 0 to 3; primary threads have only their outer places.
Sample sample(double seconds, std::uint64_t ticks) {
  ProcessSample process{
      .process = 10, .start = 1000, .command = "./program", .published = {}, .threads = {}};
  process.published = Published{.spec = "2,scatter,2,compact",
                                .places = {placed(10, {0}, {0}), placed(12, {0, 1}, {1}),
                                           placed(11, {1}, {2}), placed(13, {1, 1}, {3})}};
  process.threads = {thread(10, ticks, 0, {0}), thread(11, ticks, 2, {2}), thread(12, 50, 1, {1}),
                     thread(13, 50, 3, {3}), thread(14, 0, 1, {0, 1, 2, 3})};
  return {.seconds = seconds, .processes = {process}};
}

const Host kHost{.ticks_per_second = 100, .nodes = {0, 0, 1, 1}};

Block block_of(const Sample* before, const Sample& now, Order order = Order::kPath) {
  auto blocks = blocks_of(before, now, kHost, order);
  REQUIRE(blocks.size() == 1);
  return blocks[0];
}

std::vector<std::vector<int>> paths(const Block& block) {
  std::vector<std::vector<int>> all;
  for (const Row& row : block.rows) {
    all.push_back(row.path);
  }
  return all;
}

}  // namespace

TEST_CASE("threads are sorted by path, and a primary thread has its deepest path") {
  const Block block = block_of(nullptr, sample(1, 0));
  CHECK(paths(block) == std::vector<std::vector<int>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {}});
  CHECK_FALSE(block.rows[4].is_placed);
  CHECK(block.threads_by_node == std::map<int, int>{{0, 2}, {1, 2}});
  CHECK_FALSE(block.share);
  for (const Row& row : block.rows) {
    CHECK(row.wandered == Wandered::kNo);
    CHECK_FALSE(row.share);
  }
}

TEST_CASE("a share is the time that a thread has run since the previous sample") {
  const Sample before = sample(1, 100);
  const Sample now = sample(3, 250);
  const Block block = block_of(&before, now);
  CHECK(block.rows[0].share == 75.0);
  CHECK(block.rows[1].share == 0.0);
  CHECK(block.share == 150.0);
  Sample another = before;
  another.processes[0].start = 999;
  CHECK_FALSE(block_of(&another, now).rows[0].share);
  Sample fewer = before;
  fewer.processes[0].threads.clear();  // all threads began after the first sample
  CHECK(block_of(&fewer, now).rows[0].share == 125.0);
}

TEST_CASE("a wandered thread is marked, and the mark says what has wandered") {
  Sample now = sample(1, 0);
  now.processes[0].threads[2].cpus = {0, 1};
  now.processes[0].threads[3].stat.processor = 0;
  Block block = block_of(nullptr, now);
  CHECK(block.rows[1].wandered == Wandered::kMask);
  CHECK(block.rows[3].wandered == Wandered::kProcessor);
  CHECK(block.rows[0].wandered == Wandered::kNo);
  // A thread has no mark if it could not be bound, is moving, or has an incomplete record.
  for (auto flag : {&Placed::is_moving, &Placed::is_cut}) {
    Sample other = now;
    other.processes[0].published->places[1].*flag = true;
    CHECK(block_of(nullptr, other).rows[1].wandered == Wandered::kNo);
  }
  now.processes[0].published->places[1].is_bound = false;
  CHECK(block_of(nullptr, now).rows[1].wandered == Wandered::kNo);
}

TEST_CASE("the place of an earlier thread is not used for a later thread") {
  Sample now = sample(1, 0);
  now.processes[0].threads[3].stat.start = 2001;  // within one tick
  CHECK(block_of(nullptr, now).rows[3].is_placed);
  now.processes[0].threads[3].stat.start = 2002;
  const Block block = block_of(nullptr, now);
  CHECK(paths(block) == std::vector<std::vector<int>>{{0, 0}, {0, 1}, {1}, {}, {}});
}

TEST_CASE("the latest place of a thread number counts") {
  Sample now = sample(1, 0);
  Placed older = placed(13, {5}, {0});
  older.since = 1;
  now.processes[0].published->places.push_back(older);
  CHECK(block_of(nullptr, now).rows[3].path == std::vector<int>{1, 1});
}

TEST_CASE("two threads never get the same path") {
  Sample now = sample(1, 0);
  now.processes[0].published->places = {placed(10, {0}, {0}), placed(11, {0, 0}, {1}),
                                        placed(12, {0, 1}, {2})};
  CHECK(paths(block_of(nullptr, now)) ==
        std::vector<std::vector<int>>{{0}, {0, 0}, {0, 1}, {}, {}});
}

TEST_CASE("threads that are bound to the same processors share them") {
  Sample now = sample(1, 0);
  now.processes[0].published->places[1].cpus = {0};
  now.processes[0].threads[2].cpus = {0};
  now.processes[0].threads[2].stat.processor = 0;
  const Block block = block_of(nullptr, now);
  CHECK(block.rows[0].sharing == 1);
  CHECK(block.rows[1].sharing == 1);
  CHECK(block.rows[2].sharing == 0);
}

TEST_CASE("threads are sorted by a key") {
  const Sample before = sample(1, 100);
  const Sample now = sample(2, 150);
  const auto threads = [&](Order order) {
    std::vector<int> all;
    for (const Row& row : block_of(&before, now, order).rows) {
      all.push_back(row.thread);
    }
    return all;
  };
  CHECK(threads(Order::kPath) == std::vector<int>{10, 12, 11, 13, 14});
  CHECK(threads(Order::kShare) == std::vector<int>{10, 11, 12, 13, 14});
  CHECK(threads(Order::kProcessor) == std::vector<int>{10, 12, 14, 11, 13});
  CHECK(threads(Order::kThread) == std::vector<int>{10, 11, 12, 13, 14});
}

TEST_CASE("a process that has ended is shown as ended") {
  Sample now{.seconds = 1,
             .processes = {{.process = 10,
                            .start = 1,
                            .command = "./program",
                            .has_ended = true,
                            .published = {},
                            .threads = {}}}};
  const Block block = block_of(nullptr, now);
  CHECK(text_of(title_of(block)) == "process 10  ./program\nit has ended\n");
  CHECK(table_of(block).empty());
}

TEST_CASE("the table shows the threads, processors and pages of a process") {
  const Sample before = sample(1, 100);
  Sample now = sample(2, 150);
  now.processes[0].threads[3].cpus = {0, 1, 2, 3};
  Block block = block_of(&before, now);
  block.pages = Pages{{0, 2048}, {2, 512}};
  CHECK(text_of(title_of(block)) ==
        "process 10  ./program\n"
        "2,scatter,2,compact; 4 of 5 threads placed, 1 wandered; 100% of a processor\n"
        "node 0: 2 threads, 2.0 MiB; node 1: 2 threads, 0.0 MiB; node 2: 0 threads, 0.5 MiB\n");
  CHECK(text_of(table_of(block)) ==
        "PATH  THREAD  PLANNED  ALLOWED  ON  NODE  SHARE  S  NAME     NOTE\n"
        "0.0       10        0        0   0     0    50%  R  program\n"
        "0.1       12        1        1   1     0     0%  R  program\n"
        "1.0       11        2        2   2     1    50%  R  program\n"
        "1.1       13        3      0-3   3     1     0%  R  program  wandered: it may run on 0-3\n"
        "-         14        -      0-3   1     0     0%  R  program\n");
}

TEST_CASE("control characters in other processes' names are not shown") {
  Sample now = sample(1, 0);
  now.processes[0].command = "./a\x1b[2J";
  now.processes[0].threads[0].stat.name = "\x1b]0;x";
  now.processes[0].published->spec = "2\n3";
  const Block block = block_of(nullptr, now);
  for (const std::string& text : {text_of(title_of(block)), text_of(table_of(block))}) {
    CHECK(text.find('\x1b') == std::string::npos);
  }
  CHECK(json_of({block}).find('\x1b') == std::string::npos);
}

TEST_CASE("JSON has planned and unplanned threads") {
  Sample now = sample(1, 0);
  now.processes[0].threads = {thread(12, 0, 1, {1}), thread(14, 0, -1, {0, 1})};
  CHECK(json_of(blocks_of(nullptr, now, kHost, Order::kPath)) ==
        R"({"processes":[{"process":10,"command":"./program","ended":false,"published":true,)"
        R"("spec":"2,scatter,2,compact","tree":null,"not_shown":0,"share":null,"pages":null,)"
        R"("threads":[)"
        R"({"thread":12,"name":"program","root":null,"path":[0,1],"planned":[1],"slot":1,)"
        R"("bound":true,)"
        R"("pinned":true,"sharing":0,"allowed":[1],"processor":1,"node":0,"state":"R",)"
        R"("share":null,"wandered":"no"},)"
        R"({"thread":14,"name":"program","root":null,"path":null,"planned":null,)"
        R"("slot":null,"bound":null,)"
        R"("pinned":null,"sharing":null,"allowed":[0,1],"processor":null,"node":null,"state":"R",)"
        R"("share":null,"wandered":null}]}]})"
        "\n");
}

TEST_CASE("a screen is never larger than its window") {
  const Sample now = sample(1, 0);
  const auto blocks = blocks_of(nullptr, now, kHost, Order::kPath);
  for (const Size size : {Size{24, 80}, Size{5, 20}, Size{1, 1}, Size{0, 0}, Size{200, 300}}) {
    View view;
    view.has_help = true;
    const auto screen = screen_of(lines_of(blocks, view, std::nullopt, size, true), view, size, "");
    CHECK(static_cast<int>(screen.size()) <= size.rows);
    for (const TextLine& line : screen) {
      CHECK(static_cast<int>(text_of({line}).size()) <= size.columns + 1);
    }
  }
}

TEST_CASE("keys scroll no further than the content and switch parts on and off") {
  View view;
  apply(Key::kUp, 100, 20, view);
  CHECK(view.first == 0);
  apply(Key::kPageDown, 100, 20, view);
  CHECK(view.first == 20);
  for (int i = 0; i < 10; ++i) {
    apply(Key::kPageDown, 100, 20, view);
  }
  CHECK(view.first == 80);
  apply(Key::kNone, 30, 20, view);
  CHECK(view.first == 10);
  apply(Key::kHome, 30, 20, view);
  CHECK(view.first == 0);
  for (const Order order : {Order::kProcessor, Order::kThread, Order::kPath, Order::kShare}) {
    apply(key_of('s'), 30, 20, view);
    CHECK(view.order == order);
  }
  apply(key_of('p'), 30, 20, view);
  CHECK_FALSE(view.has_picture);
  apply(key_of('n'), 30, 20, view);
  CHECK(view.wants_pages);
  CHECK(key_of('q') == Key::kQuit);
  CHECK(key_of(3) == Key::kQuit);
  CHECK(key_of('x') == Key::kNone);
}

TEST_CASE("threads of different root threads are distinguished") {
  Sample now = sample(1, 200);
  for (Placed& place : now.processes[0].published->places) {
    place.root = place.thread == 10 || place.thread == 12 ? 1 : 0;
  }
  const Block block = block_of(nullptr, now);
  CHECK(block.rows[0].root == 0);
  CHECK(paths(block) == std::vector<std::vector<int>>{{1, 0}, {1, 1}, {0, 0}, {0, 1}, {}});
  const std::string table = text_of(table_of(block));
  CHECK(table.find("root 0, 1.0") != std::string::npos);
  CHECK(table.find("root 1, 0.1") != std::string::npos);
  CHECK(json_of({block}).find(R"("root":1,"path":[0,1])") != std::string::npos);
}
