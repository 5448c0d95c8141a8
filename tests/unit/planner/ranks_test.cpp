// SPDX-License-Identifier: BSD-3-Clause
// The interface for the libraries of MPI.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "planner/planner_ranks.h"

namespace {

struct Answer {
  std::vector<int> process;
  nestbind_gain gain{};
};

Answer ask(const nestbind_job& job) {
  Answer answer;
  answer.process.resize(static_cast<std::size_t>(job.ranks));
  REQUIRE(nestbind_planner_ranks_1(&job, answer.process.data(), &answer.gain) == 1);
  return answer;
}

TEST_CASE("a grid of ranks") {
  std::vector<int> node(64);
  for (int process = 0; process < 64; ++process) {
    node[process] = process / 8;
  }
  const int lengths[] = {8, 8};
  const int is_periodic[] = {0, 1};
  nestbind_job job{64, 8, node.data(), nullptr, 2, lengths, is_periodic, 0, nullptr};
  Answer answer = ask(job);
  CHECK(answer.gain.bytes_before == 56);
  CHECK(answer.gain.bytes == 40);
  CHECK(answer.gain.hop_bytes == 40);
  std::ranges::sort(answer.process);
  for (int i = 0; i < 64; ++i) {
    CHECK(answer.process[i] == i);
  }
  // Two nodes below each of four switches.
  char paths_text[8][8] = {"c.s0.n0", "c.s0.n1", "c.s1.n2", "c.s1.n3",
                           "c.s2.n4", "c.s2.n5", "c.s3.n6", "c.s3.n7"};
  std::vector<char*> paths;
  for (auto& path : paths_text) {
    paths.push_back(path);
  }
  job.path = paths.data();
  answer = ask(job);
  CHECK(answer.gain.bytes_before == 56);
  CHECK(answer.gain.hop_bytes_before == 80);  // 4 of 7 pairs of rows are below one switch
  CHECK(answer.gain.bytes <= 56);
  CHECK(answer.gain.hop_bytes < 80);
}

TEST_CASE("messages between ranks") {
  // Rank r sends to rank r + 4 of 8, on nodes of 2.
  const nestbind_edge edges[] = {{0, 4, 1}, {1, 5, 1}, {2, 6, 1}, {3, 7, 1}};
  const int node[] = {0, 0, 1, 1, 2, 2, 3, 3};
  const Answer answer = ask({8, 4, node, nullptr, 0, nullptr, nullptr, 4, edges});
  CHECK(answer.gain.bytes_before == 4);
  CHECK(answer.gain.bytes == 0);
}

}  // namespace
