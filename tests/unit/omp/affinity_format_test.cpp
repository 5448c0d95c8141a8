// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "helpers/cpus.hpp"
#include "omp/runtime_affinity.hpp"

namespace {

std::string formatted(const char* format, const std::vector<int>& numbers, bool ranges = true) {
  nestbind::support::TextBuffer text;
  const auto mask = cpus::of(numbers);
  nestbind::omp::add_format(format, mask.view(), ranges, text);
  return text.text();
}

}  // namespace

TEST_CASE("the affinity field gives the thread's processors") {
  CHECK(formatted("%A", {3}) == "3");
  CHECK(formatted("%{thread_affinity}", {3}) == "3");
  CHECK(formatted("thread %n of %{num_threads} on %A on %H", {0, 8}) ==
        "thread %n of %{num_threads} on 0,8 on %H");
  CHECK(formatted("%A%A", {1, 2, 3, 70}) == "1-3,701-3,70");
  CHECK(formatted("", {3}).empty());
}

TEST_CASE("two adjacent processors are a range or two numbers") {
  CHECK(formatted("%A", {0, 1, 3, 4, 5}) == "0-1,3-5");
  CHECK(formatted("%A", {0, 1, 3, 4, 5}, false) == "0,1,3-5");
}

TEST_CASE("an affinity field may have a width") {
  CHECK(formatted("<%6A>", {0, 8}) == "<0,8   >");
  CHECK(formatted("<%.6A>", {0, 8}) == "<   0,8>");
  CHECK(formatted("<%0.6A>", {0, 8}) == "<   0,8>");
  CHECK(formatted("<%.12{thread_affinity}>", {0, 8}) == "<         0,8>");
  CHECK(formatted("<%2A>", {0, 8}) == "<0,8>");
}

TEST_CASE("other fields do not change") {
  for (const char* format :
       {"A", "%%A", "%a", "%{thread_affinity", "%{thread_affinit}", "%", "100%", "%06A", "%.A",
        "%0.A", "%0A", "%12345678A", "%.", "%{", "%4n%.4N%0.4P"}) {
    CHECK(formatted(format, {3}) == format);
  }
  CHECK(formatted("%%%A%%", {3}) == "%%3%%");
  CHECK(formatted("%n%A", {3}) == "%n3");
}
