// SPDX-License-Identifier: BSD-3-Clause
// Pictures of machines, 80 columns wide.
#include <catch2/catch.hpp>

#include "drawn.hpp"
#include "show/texts.hpp"

using namespace nestbind;

namespace {

// Returns the picture without the explanation of the signs.
std::string picture(const drawn::Setup& setup, const std::string& spec,
                    const show::Canvas& canvas = {}) {
  const std::string whole = drawn::picture(setup, spec, canvas);
  std::string kept;
  for (std::size_t begin = 0; begin < whole.size();) {
    const std::size_t end = whole.find('\n', begin);
    const std::string line = whole.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with("0.1: ")) {
      kept += line.substr(0, line.find("; ")) + "\n";
    }
  }
  return kept;
}

}  // namespace

TEST_CASE("each outer team is drawn in its own package") {
  CHECK(picture({"barcelona"}, "4,scatter,2,subcompact") == R"(
4,scatter,2,subcompact
4 packages, 4 NUMA nodes, 16 cores, 16 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ 0.0  0.1   ·    ·     │ │ 1.0  1.1   ·    ·     │
└─────── processors 0-3 ┘ └─────── processors 4-7 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│ 2.0  2.1   ·    ·     │ │ 3.0  3.1   ·    ·     │
└────── processors 8-11 ┘ └───── processors 12-15 ┘
· free: 8 of 16 cores
)");
  CHECK(picture({"barcelona"}, "4,scatter,4,scatter") == R"(
4,scatter,4,scatter
4 packages, 4 NUMA nodes, 16 cores, 16 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ 0.0  1.1  2.1  3.1    │ │ 1.0  0.1  2.2  3.2    │
└─────── processors 0-3 ┘ └─────── processors 4-7 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│ 2.0  0.2  1.2  3.3    │ │ 3.0  0.3  1.3  2.3    │
└────── processors 8-11 ┘ └───── processors 12-15 ┘
no core is free
)");
  CHECK(picture({"tigerton"}, "4,scatter,2,subscatter") == R"(
4,scatter,2,subscatter
4 packages, 1 NUMA node, 16 cores, 16 processors

┌ package 0 ───┐ ┌ package 1 ───┐ ┌ package 2 ───┐ ┌ package 3 ───┐
│ ┌ L2 0 ────┐ │ │ ┌ L2 2 ────┐ │ │ ┌ L2 4 ────┐ │ │ ┌ L2 6 ────┐ │
│ │ 0.0   ·  │ │ │ │ 1.0   ·  │ │ │ │ 2.0   ·  │ │ │ │ 3.0   ·  │ │
│ └───── 0-1 ┘ │ │ └───── 4-5 ┘ │ │ └───── 8-9 ┘ │ │ └─── 12-13 ┘ │
│ ┌ L2 1 ────┐ │ │ ┌ L2 3 ────┐ │ │ ┌ L2 5 ────┐ │ │ ┌ L2 7 ────┐ │
│ │ 0.1   ·  │ │ │ │ 1.1   ·  │ │ │ │ 2.1   ·  │ │ │ │ 3.1   ·  │ │
│ └───── 2-3 ┘ │ │ └───── 6-7 ┘ │ │ └─── 10-11 ┘ │ │ └─── 14-15 ┘ │
└───────── 0-3 ┘ └───────── 4-7 ┘ └──────── 8-11 ┘ └─────── 12-15 ┘
· free: 8 of 16 cores
)");
  CHECK(picture({"numa16"}, "8,scatter,2,subcompact") == R"(
8,scatter,2,subcompact
8 packages, 8 NUMA nodes, 16 cores, 16 processors

┌ package 0, node 0 ┐ ┌ package 1, node 1 ┐ ┌ package 2, node 2 ┐
│ 0.0  0.1          │ │ 1.0  1.1          │ │ 2.0  2.1          │
└─── processors 0-1 ┘ └─── processors 2-3 ┘ └─── processors 4-5 ┘
┌ package 3, node 3 ┐ ┌ package 4, node 4 ┐ ┌ package 5, node 5 ┐
│ 3.0  3.1          │ │ 4.0  4.1          │ │ 5.0  5.1          │
└─── processors 6-7 ┘ └─── processors 8-9 ┘ └─ processors 10-11 ┘
┌ package 6, node 6 ┐ ┌ package 7, node 7 ┐
│ 6.0  6.1          │ │ 7.0  7.1          │
└─ processors 12-13 ┘ └─ processors 14-15 ┘
no core is free
)");
  CHECK(picture({"numa32"}, "4,scatter,4,subscatter") == R"(
4,scatter,4,subscatter
4 packages, 4 NUMA nodes, 32 cores, 32 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ 0.0   ·   0.1   ·     │ │ 1.0   ·   1.1   ·     │
│ 0.2   ·   0.3   ·     │ │ 1.2   ·   1.3   ·     │
└─────── processors 0-7 ┘ └────── processors 8-15 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│ 2.0   ·   2.1   ·     │ │ 3.0   ·   3.1   ·     │
│ 2.2   ·   2.3   ·     │ │ 3.2   ·   3.3   ·     │
└───── processors 16-23 ┘ └───── processors 24-31 ┘
· free: 16 of 32 cores
)");
  CHECK(picture({"scalemp"}, "13,scatter,4,subscatter") == R"(
13,scatter,4,subscatter
13 boards, 26 packages, 13 NUMA nodes, 104 cores, 104 processors

┌ board 0, node 0 ────────────────────────────────────────────────────┐
│ ┌ package 0 ────────────────────┐ ┌ package 1 ────────────────────┐ │
│ │ ┌ L2 0 ──────┐ ┌ L2 1 ──────┐ │ │ ┌ L2 2 ──────┐ ┌ L2 3 ──────┐ │ │
│ │ │ 0.0    ·   │ │ 0.1    ·   │ │ │ │ 0.2    ·   │ │ 0.3    ·   │ │ │
│ │ └─────── 0-1 ┘ └─────── 2-3 ┘ │ │ └─────── 4-5 ┘ └─────── 6-7 ┘ │ │
│ └────────────────────────── 0-3 ┘ └────────────────────────── 4-7 ┘ │
└───────────────────────────────────────────────────── processors 0-7 ┘
  boards 1-12 alike: team of 1 to team of 12
· free: 52 of 104 cores
)");
  CHECK(picture({"bielefeld"}, "60,scatter,2,subscatter") == R"(
60,scatter,2,subscatter
15 boards, 30 packages, 30 NUMA nodes, 120 cores, 120 processors

┌ board 0 ──────────────────────────────────────────────┐
│ ┌ package 0, node 0, L3 ─┐ ┌ package 1, node 1, L3 ─┐ │
│ │ 0.0   0.1   1.0   1.1  │ │ 2.0   2.1   3.0   3.1  │ │
│ └─────────────────── 0-3 ┘ └─────────────────── 4-7 ┘ │
└─────────────────────────────────────── processors 0-7 ┘
  boards 1-14 alike: teams of 4-7 to teams of 56-59
no core is free
)");
}

TEST_CASE("hardware threads are drawn in their cores") {
  CHECK(picture({"nehalem-sun"}, "2,scatter,4,subcompact") == R"(
2,scatter,4,subcompact
2 packages, 2 NUMA nodes, 8 cores, 16 processors

┌ package 0, node 0, L3 ──┐ ┌ package 1, node 1, L3 ──┐
│ [0.0] [0.1] [0.2] [0.3] │ │ [1.0] [1.1] [1.2] [1.3] │
└──── processors 0-3,8-11 ┘ └─── processors 4-7,12-15 ┘
no core is free
)");
  CHECK(picture({"nehalem-hp"}, "4,scatter,4,subcompact") == R"(
4,scatter,4,subcompact
2 packages, 2 NUMA nodes, 8 cores, 16 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ [0.0|0.1] [0.2|0.3]   │ │ [2.0|2.1] [2.2|2.3]   │
│ [1.0|1.1] [1.2|1.3]   │ │ [3.0|3.1] [3.2|3.3]   │
└─── 0,2,4,6,8,10,12,14 ┘ └─── 1,3,5,7,9,11,13,15 ┘
no core is free
)");
  CHECK(picture({"nehalem-sun"}, "3,scatter,3,subscatter") == R"(
3,scatter,3,subscatter
2 packages, 2 NUMA nodes, 8 cores, 16 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ [  0.0  ] [  0.1  ]   │ │ [  1.1  ] [  1.2  ]   │
│ [  0.2  ] [  1.0  ]   │ │ [  2.0  ] [2.1|2.2]   │
└── processors 0-3,8-11 ┘ └─ processors 4-7,12-15 ┘
no core is free
)");
}

TEST_CASE("two packages of 64 cores with hardware threads are drawn") {
  CHECK(picture({"pack:2 [numa] l3:8 core:8 pu:2"}, "2,scatter,64,subscatter") == R"(
2,scatter,64,subscatter
2 packages, 2 NUMA nodes, 128 cores, 256 processors

┌ package 0, node 0 ──────────────────────────────────────────────────────┐
│ ┌ L3 0 ───────────────────────────┐ ┌ L3 1 ───────────────────────────┐ │
│ │ [ 0.0 ] [ 0.1 ] [ 0.2 ] [ 0.3 ] │ │ [ 0.8 ] [ 0.9 ] [0.10 ] [0.11 ] │ │
│ │ [ 0.4 ] [ 0.5 ] [ 0.6 ] [ 0.7 ] │ │ [0.12 ] [0.13 ] [0.14 ] [0.15 ] │ │
│ └─────────────────────────── 0-15 ┘ └────────────────────────── 16-31 ┘ │
│ ┌ L3 2 ───────────────────────────┐ ┌ L3 3 ───────────────────────────┐ │
│ │ [0.16 ] [0.17 ] [0.18 ] [0.19 ] │ │ [0.24 ] [0.25 ] [0.26 ] [0.27 ] │ │
│ │ [0.20 ] [0.21 ] [0.22 ] [0.23 ] │ │ [0.28 ] [0.29 ] [0.30 ] [0.31 ] │ │
│ └────────────────────────── 32-47 ┘ └────────────────────────── 48-63 ┘ │
│ ┌ L3 4 ───────────────────────────┐ ┌ L3 5 ───────────────────────────┐ │
│ │ [0.32 ] [0.33 ] [0.34 ] [0.35 ] │ │ [0.40 ] [0.41 ] [0.42 ] [0.43 ] │ │
│ │ [0.36 ] [0.37 ] [0.38 ] [0.39 ] │ │ [0.44 ] [0.45 ] [0.46 ] [0.47 ] │ │
│ └────────────────────────── 64-79 ┘ └────────────────────────── 80-95 ┘ │
│ ┌ L3 6 ───────────────────────────┐ ┌ L3 7 ───────────────────────────┐ │
│ │ [0.48 ] [0.49 ] [0.50 ] [0.51 ] │ │ [0.56 ] [0.57 ] [0.58 ] [0.59 ] │ │
│ │ [0.52 ] [0.53 ] [0.54 ] [0.55 ] │ │ [0.60 ] [0.61 ] [0.62 ] [0.63 ] │ │
│ └───────────────────────── 96-111 ┘ └──────────────────────── 112-127 ┘ │
└─────────────────────────────────────────────────────── processors 0-127 ┘
  package 1 alike: team of 1
no core is free
)");
  CHECK(picture({"pack:2 [numa] core:64 pu:2"}, "16,scatter,16,subcompact") == R"(
16,scatter,16,subcompact
2 packages, 2 NUMA nodes, 128 cores, 256 processors

┌ package 0, node 0 ──────────────────────────────────────┐
│ [ 0.0 | 0.1 ] [ 0.2 | 0.3 ] [ 0.4 | 0.5 ] [ 0.6 | 0.7 ] │
│ [ 0.8 | 0.9 ] [0.10 |0.11 ] [0.12 |0.13 ] [0.14 |0.15 ] │
│ [ 1.0 | 1.1 ] [ 1.2 | 1.3 ] [ 1.4 | 1.5 ] [ 1.6 | 1.7 ] │
│ [ 1.8 | 1.9 ] [1.10 |1.11 ] [1.12 |1.13 ] [1.14 |1.15 ] │
│ [ 2.0 | 2.1 ] [ 2.2 | 2.3 ] [ 2.4 | 2.5 ] [ 2.6 | 2.7 ] │
│ [ 2.8 | 2.9 ] [2.10 |2.11 ] [2.12 |2.13 ] [2.14 |2.15 ] │
│ [ 3.0 | 3.1 ] [ 3.2 | 3.3 ] [ 3.4 | 3.5 ] [ 3.6 | 3.7 ] │
│ [ 3.8 | 3.9 ] [3.10 |3.11 ] [3.12 |3.13 ] [3.14 |3.15 ] │
│ [ 4.0 | 4.1 ] [ 4.2 | 4.3 ] [ 4.4 | 4.5 ] [ 4.6 | 4.7 ] │
│ [ 4.8 | 4.9 ] [4.10 |4.11 ] [4.12 |4.13 ] [4.14 |4.15 ] │
│ [ 5.0 | 5.1 ] [ 5.2 | 5.3 ] [ 5.4 | 5.5 ] [ 5.6 | 5.7 ] │
│ [ 5.8 | 5.9 ] [5.10 |5.11 ] [5.12 |5.13 ] [5.14 |5.15 ] │
│ [ 6.0 | 6.1 ] [ 6.2 | 6.3 ] [ 6.4 | 6.5 ] [ 6.6 | 6.7 ] │
│ [ 6.8 | 6.9 ] [6.10 |6.11 ] [6.12 |6.13 ] [6.14 |6.15 ] │
│ [ 7.0 | 7.1 ] [ 7.2 | 7.3 ] [ 7.4 | 7.5 ] [ 7.6 | 7.7 ] │
│ [ 7.8 | 7.9 ] [7.10 |7.11 ] [7.12 |7.13 ] [7.14 |7.15 ] │
└─────────────────────────────────────── processors 0-127 ┘
  package 1 alike: teams of 8-15
no core is free
)");
}

TEST_CASE("a hybrid laptop is drawn with its fast and slow cores") {
  CHECK(picture({"hybrid"}, "2,scatter,2,subcompact") == R"(
2,scatter,2,subcompact
1 package, 1 NUMA node, 6 cores, 8 processors

┌ package 0, node 0, L3 ┐
│ ┌ L2 0 ────┐          │
│ │(0.0)(0.1)│          │
│ └───── 0-1 ┘          │
│ [1.0] [1.1]           │
│ ┌ L2 3 ────┐          │
│ │( · )( · )│          │
│ └───── 6-7 ┘          │
└─────── processors 0-7 ┘
· free: 2 of 6 cores
fast cores: processors 2-5
)");
  CHECK(picture({"hybrid"}, "4,scatter,2,subcompact") == R"(
4,scatter,2,subcompact
1 package, 1 NUMA node, 6 cores, 8 processors

┌ package 0, node 0, L3 ┐
│ ┌ L2 0 ────┐          │
│ │(0.0)(0.1)│          │
│ └───── 0-1 ┘          │
│ [1.0|1.1] [2.0|2.1]   │
│ ┌ L2 3 ────┐          │
│ │(3.0)(3.1)│          │
│ └───── 6-7 ┘          │
└─────── processors 0-7 ┘
no core is free
fast cores: processors 2-5
)");
}

TEST_CASE("a KNL with four hardware threads in a core is drawn") {
  CHECK(picture({"pack:1 [numa] [numa] l2:32 core:2 pu:4"}, "4,scatter,64,subscatter") == R"(
4,scatter,64,subscatter
1 package, 2 NUMA nodes on 1 set of cores, 64 cores, 256 processors

┌ package 0, nodes 0-1 ───────────────────────────────────────────────────┐
│ ┌ L2 0 ───────────────────────────┐ ┌ L2 8 ───────────────────────────┐ │
│ │ [0.0 |0.1 |0.2 |0.3 ]           │ │ [1.0 |1.1 |1.2 |1.3 ]           │ │
│ │ [0.4 |0.5 |0.6 |0.7 ]           │ │ [1.4 |1.5 |1.6 |1.7 ]           │ │
│ └──────────────────────────── 0-7 ┘ └────────────────────────── 64-71 ┘ │
│   L2 1-7 alike: 0.8-15 to 0.56-63     L2 9-15 alike: 1.8-15 to 1.56-63  │
│ ┌ L2 16 ──────────────────────────┐ ┌ L2 24 ──────────────────────────┐ │
│ │ [2.0 |2.1 |2.2 |2.3 ]           │ │ [3.0 |3.1 |3.2 |3.3 ]           │ │
│ │ [2.4 |2.5 |2.6 |2.7 ]           │ │ [3.4 |3.5 |3.6 |3.7 ]           │ │
│ └──────────────────────── 128-135 ┘ └──────────────────────── 192-199 ┘ │
│   L2 17-23 alike: 2.8-15 to 2.56-63   L2 25-31 alike: 3.8-15 to 3.56-63 │
└─────────────────────────────────────────────────────── processors 0-255 ┘
no core is free
)");
  CHECK(picture({"pack:1 [numa] [numa] l2:32 core:2 pu:4"}, "8,scatter,8,subcompact") == R"(
8,scatter,8,subcompact
1 package, 2 NUMA nodes on 1 set of cores, 64 cores, 256 processors

┌ package 0, nodes 0-1 ───────────────────────────────────────────────────────┐
│ ┌ L2 0 ──────────┐ ┌ L2 4 ──────────┐ ┌ L2 8 ──────────┐ ┌ L2 12 ─────────┐ │
│ │ [  0.0  ]      │ │ [  1.0  ]      │ │ [  2.0  ]      │ │ [  3.0  ]      │ │
│ │ [  0.1  ]      │ │ [  1.1  ]      │ │ [  2.1  ]      │ │ [  3.1  ]      │ │
│ └─────────── 0-7 ┘ └───────── 32-39 ┘ └───────── 64-71 ┘ └──────── 96-103 ┘ │
│   L2 1-3 alike:      L2 5-7 alike:      L2 9-11 alike:     L2 13-15 alike:  │
│     0.2-3 to 0.6-7     1.2-3 to 1.6-7     2.2-3 to 2.6-7     3.2-3 to 3.6-7 │
│ ┌ L2 16 ─────────┐ ┌ L2 20 ─────────┐ ┌ L2 24 ─────────┐ ┌ L2 28 ─────────┐ │
│ │ [  4.0  ]      │ │ [  5.0  ]      │ │ [  6.0  ]      │ │ [  7.0  ]      │ │
│ │ [  4.1  ]      │ │ [  5.1  ]      │ │ [  6.1  ]      │ │ [  7.1  ]      │ │
│ └─────── 128-135 ┘ └─────── 160-167 ┘ └─────── 192-199 ┘ └─────── 224-231 ┘ │
│   L2 17-19 alike:    L2 21-23 alike:    L2 25-27 alike:    L2 29-31 alike:  │
│     4.2-3 to 4.6-7     5.2-3 to 5.6-7     6.2-3 to 6.6-7     7.2-3 to 7.6-7 │
└─────────────────────────────────────────────────────────── processors 0-255 ┘
no core is free
)");
}

TEST_CASE("an uneven mask is drawn") {
  CHECK(picture({"barcelona", "0-8,12"}, "numa,scatter,core,subcompact") == R"(
numa,scatter,core,subcompact
4 packages, 4 NUMA nodes, 10 cores, 10 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ 0.0  0.1  0.2  0.3    │ │ 1.0  1.1  1.2  1.3    │
└─────── processors 0-3 ┘ └─────── processors 4-7 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│ 2.0                   │ │ 3.0                   │
└────────── processor 8 ┘ └───────── processor 12 ┘
no core is free
)");
  CHECK(picture({"nehalem-sun", "0-5,9-13"}, "4,scatter,2,subcompact") == R"(
4,scatter,2,subcompact
2 packages, 2 NUMA nodes, 6 cores, 11 processors

┌ package 0, node 0, L3 ────────┐ ┌ package 1, node 1, L3 ────────┐
│ 0.0                           │ │ [  2.1  ] [3.0|3.1]           │
│ [  0.1  ] [1.0|1.1] [  2.0  ] │ │                               │
└────────── processors 0-3,9-11 ┘ └───────── processors 4-5,12-13 ┘
no core is free
)");
}

TEST_CASE("1024 processors are drawn") {
  CHECK(picture({"pack:16 [numa] core:64 pu:1"}, "32,scatter,32,subcompact") == R"(
32,scatter,32,subcompact
16 packages, 16 NUMA nodes, 1024 cores, 1024 processors

┌ package 0, node 0 ─────────────────────────────────────┐
│ 0.0    0.1    0.2    0.3    0.4    0.5    0.6    0.7   │
│ 0.8    0.9    0.10   0.11   0.12   0.13   0.14   0.15  │
│ 0.16   0.17   0.18   0.19   0.20   0.21   0.22   0.23  │
│ 0.24   0.25   0.26   0.27   0.28   0.29   0.30   0.31  │
│ 1.0    1.1    1.2    1.3    1.4    1.5    1.6    1.7   │
│ 1.8    1.9    1.10   1.11   1.12   1.13   1.14   1.15  │
│ 1.16   1.17   1.18   1.19   1.20   1.21   1.22   1.23  │
│ 1.24   1.25   1.26   1.27   1.28   1.29   1.30   1.31  │
└─────────────────────────────────────── processors 0-63 ┘
  packages 1-15 alike: teams of 2-3 to teams of 30-31
no core is free
)");
  CHECK(picture({"pack:16 [numa] l3:8 core:8 pu:1"}, "13,scatter,32,subscatter") == R"(
13,scatter,32,subscatter
16 packages, 16 NUMA nodes, 1024 cores, 1024 processors

┌ package 0, node 0 ─────────────────┐ ┌ package 1, node 1 ─────────────────┐
│ ┌ L3 0 ──────────────────────┐     │ │ ┌ L3 8 ──────────────────────┐     │
│ │ 0.0      ·    0.1      ·   │     │ │ │   ·      ·      ·      ·   │     │
│ │ 0.2      ·    0.3      ·   │     │ │ │   ·      ·      ·      ·   │     │
│ └─────────────────────── 0-7 ┘     │ │ └───────────────────── 64-71 ┘     │
│   L3 1-7 alike: 0.4-7 to 0.28-31   │ │   L3 9-15 alike: free              │
└─────────────────── processors 0-63 ┘ └───────────────── processors 64-127 ┘
┌ package 2, node 2 ─────────────────┐ ┌ package 3, node 3 ─────────────────┐
│ ┌ L3 16 ─────────────────────┐     │ │ ┌ L3 24 ─────────────────────┐     │
│ │ 1.0      ·    1.1      ·   │     │ │ │   ·      ·      ·      ·   │     │
│ │ 1.2      ·    1.3      ·   │     │ │ │   ·      ·      ·      ·   │     │
│ └─────────────────── 128-135 ┘     │ │ └─────────────────── 192-199 ┘     │
│   L3 17-23 alike: 1.4-7 to 1.28-31 │ │   L3 25-31 alike: free             │
└──────────────── processors 128-191 ┘ └──────────────── processors 192-255 ┘
┌ package 4, node 4 ─────────────────┐ ┌ package 5, node 5 ─────────────────┐
│ ┌ L3 32 ─────────────────────┐     │ │ ┌ L3 40 ─────────────────────┐     │
│ │ 2.0      ·    2.1      ·   │     │ │ │   ·      ·      ·      ·   │     │
│ │ 2.2      ·    2.3      ·   │     │ │ │   ·      ·      ·      ·   │     │
│ └─────────────────── 256-263 ┘     │ │ └─────────────────── 320-327 ┘     │
│   L3 33-39 alike: 2.4-7 to 2.28-31 │ │   L3 41-47 alike: free             │
└──────────────── processors 256-319 ┘ └──────────────── processors 320-383 ┘
┌ package 6, node 6 ─────────────────┐
│ ┌ L3 48 ─────────────────────┐     │
│ │ 3.0      ·    3.1      ·   │     │
│ │ 3.2      ·    3.3      ·   │     │
│ └─────────────────── 384-391 ┘     │
│   L3 49-55 alike: 3.4-7 to 3.28-31 │
└──────────────── processors 384-447 ┘
  packages 7-15 alike: team of 4 to
    team of 12
· free: 608 of 1024 cores
)");
  CHECK(picture({"core:1024 pu:1"}, "512,scatter") == R"(
512,scatter
1 NUMA node, 1024 cores, 1024 processors

┌ machine ────────────────────────────────┐
│ cores 0-1023, 2 at a time: 0 · to 511 · │
└────────────────────── processors 0-1023 ┘
· free: 512 of 1024 cores
)");
}

TEST_CASE("unbound threads and shared cores are drawn") {
  CHECK(picture({"barcelona"}, "1,scatter,2,subscatter") == R"(
1,scatter,2,subscatter
4 packages, 4 NUMA nodes, 16 cores, 16 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ 0.0   ·   0.1   ·     │ │  ·    ·    ·    ·     │
└─────── processors 0-3 ┘ └─────── processors 4-7 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│  ·    ·    ·    ·     │ │  ·    ·    ·    ·     │
└────── processors 8-11 ┘ └───── processors 12-15 ┘
· free: 14 of 16 cores
)");
  CHECK(picture({"barcelona"}, "1,scatter") == R"(
1,scatter
4 packages, 4 NUMA nodes, 16 cores, 16 processors

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ 0  ·  ·  ·            │ │ ·  ·  ·  ·            │
└─────── processors 0-3 ┘ └─────── processors 4-7 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│ ·  ·  ·  ·            │ │ ·  ·  ·  ·            │
└────── processors 8-11 ┘ └───── processors 12-15 ┘
· free: 15 of 16 cores
)");
  CHECK(picture({"pack:2 core:2 pu:1"}, "3,compact,3,subcompact") == R"(
3,compact,3,subcompact
2 packages, 1 NUMA node, 4 cores, 4 processors
warning: 9 threads share 4 slots

┌ package 0 ───────┐ ┌ package 1 ───────┐
│ 0.0-0.2  1.0-1.2 │ │ 2.0+2.1  2.2     │
└── processors 0-1 ┘ └── processors 2-3 ┘
no core is free
)");
  CHECK(picture({"pack:2 core:2 pu:1"}, "1,scatter,64,subcompact") == R"(
1,scatter,64,subcompact
2 packages, 1 NUMA node, 4 cores, 4 processors
warning: 64 threads share 4 slots

┌ package 0 ───────────┐ ┌ package 1 ───────────┐
│ 0.0-0.15   0.16-0.31 │ │ 0.32-0.47  0.48-0.63 │
└────── processors 0-1 ┘ └────── processors 2-3 ┘
no core is free
)");
  CHECK(picture({"barcelona"}, "off") == R"(
off
4 packages, 4 NUMA nodes, 16 cores, 16 processors
no thread is bound, and team sizes are the program's own

┌ package 0, node 0, L3 ┐ ┌ package 1, node 1, L3 ┐
│ ·  ·  ·  ·            │ │ ·  ·  ·  ·            │
└─────── processors 0-3 ┘ └─────── processors 4-7 ┘
┌ package 2, node 2, L3 ┐ ┌ package 3, node 3, L3 ┐
│ ·  ·  ·  ·            │ │ ·  ·  ·  ·            │
└────── processors 8-11 ┘ └───── processors 12-15 ┘
· free: 16 of 16 cores
)");
}

TEST_CASE("no title is cut, however narrow the picture is") {
  for (const int columns : {30, 40, 60, 80, 120}) {
    CAPTURE(columns);
    show::Canvas canvas;
    canvas.columns = columns;
    const std::string text =
        picture({"pack:2 [numa] l3:16 core:8 pu:1"}, "8,scatter,8,subcompact", canvas);
    CHECK(text.find("L3 12 ") != std::string::npos);
    const std::size_t first = text.find("L3 1 ");
    CHECK(text.find("L3 1 ", first == std::string::npos ? 0 : first + 1) == std::string::npos);
  }
}
