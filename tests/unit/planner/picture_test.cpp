// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <initializer_list>
#include <list>
#include <string>

#include "machine/hwloc/read_hwloc.hpp"
#include "planner/planner_geometry.hpp"

using namespace nestbind;

namespace {

constexpr PlannerCanvas kPlain = {80, 40, false, false};

struct Threads {
  void add(const std::vector<int>& path, const std::vector<int>& cpus, const char* mark = nullptr) {
    paths.push_back(path);
    mask::MaskBuffer& mask = masks.emplace_back();
    for (const int cpu : cpus) {
      mask::add(mask.bits, cpu);
    }
    all.push_back({paths.back().data(), static_cast<int>(path.size()), mask.view(), mark});
  }
  std::list<std::vector<int>> paths;
  std::list<mask::MaskBuffer> masks;
  std::vector<PlannerOccupant> all;
};

std::string drawn(const Threads& threads, const PlannerCanvas& canvas = kPlain) {
  char* const text = planner::picture(
      machine::hwloc::read_hardware(NESTBIND_SOURCE_DIR "/tests/machines/barcelona.xml"),
      std::nullopt, threads.all, canvas);
  const std::string copy = text;
  free(text);
  return copy;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("a thread that leads inner teams is drawn once") {
  Threads threads;
  threads.add({6}, {0});
  threads.add({7}, {8});
  threads.add({6, 0}, {0});
  threads.add({6, 1}, {1});
  const std::string text = drawn(threads);
  CHECK(count(text, " 6.0 ") == 1);
  CHECK(count(text, " 6.1 ") == 1);
  CHECK(count(text, " 7 ") == 1);
  CHECK(count(text, " 6 ") == 0);
}

TEST_CASE("teams of two sizes on the same slots are drawn once") {
  Threads once;
  Threads twice;
  for (const int size : {2, 4}) {
    for (int i = 0; i < size; ++i) {
      twice.add({0, i}, {i});
    }
  }
  for (int i = 0; i < 4; ++i) {
    once.add({0, i}, {i});
  }
  CHECK(drawn(twice) == drawn(once));
}

TEST_CASE("the picture does not depend on the order of the threads") {
  Threads forwards;
  Threads backwards;
  for (int i = 0; i < 16; ++i) {
    forwards.add({i}, {i});
    backwards.add({15 - i}, {15 - i});
  }
  CHECK(drawn(forwards) == drawn(backwards));
}

TEST_CASE("notes and colours are drawn if they are wanted") {
  Threads threads;
  threads.add({0}, {0, 1, 2, 3}, "not bound");
  threads.add({1}, {8});
  CHECK(count(drawn(threads), "not bound") == 1);
  CHECK(count(drawn(threads), "\033") == 0);
  CHECK(count(drawn(threads, {80, 40, true, true}), "\033[") > 0);
}
