// SPDX-License-Identifier: BSD-3-Clause
// Compares the plans of the examples of nestbind-spec(7), processor by processor.
#include <catch2/catch.hpp>

#include "planned.hpp"

namespace {

struct Example {
  const char* machine;
  const char* cpus;
  int smt;
  const char* spec;
  const char* rows;
};

const Example kExamples[] = {
    {"barcelona", "", 0, "4,compact", "0 1 2 3"},
    {"barcelona", "", 0, "4,scatter", "0 4 8 12"},
    {"barcelona", "", 0, "2,scatter", "0 8"},
    {"barcelona", "", 0, "3,scatter", "0 8 12"},
    {"barcelona", "", 0, "6,scatter", "0 2 4 6 8 12"},
    {"barcelona", "", 0, "4,scatter,4,subscatter", "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"},
    {"barcelona", "", 0, "4,scatter,4,scatter", "0 5 9 13 / 4 1 10 14 / 8 2 6 15 / 12 3 7 11"},
    {"barcelona", "", 0, "4,scatter,2,subcompact", "0 1 / 4 5 / 8 9 / 12 13"},
    {"barcelona", "", 0, "2,scatter,4,subscatter", "0 1 2 3 / 8 9 10 11"},
    {"barcelona", "", 0, "2,scatter,8,subscatter", "0 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 15"},
    {"barcelona", "", 0, "1,scatter,4,subscatter", "0 1 2 3"},
    {"barcelona", "", 0, "1,scatter,5,subscatter", "0 2 3 4 6"},
    {"barcelona", "", 0, "1,scatter,4,subscatter,3,subscatter",
     "0 2 3 / 4 6 7 / 8 10 11 / 12 14 15"},
    {"barcelona", "", 0, "2,scatter,2,scatter,3,subscatter", "0 1 2 / 12 13 14 / 8 9 10 / 4 5 6"},
    {"barcelona", "", 0, "2,compact,2,subscatter,3,subscatter", "0 1 2 / 3 4 5 / 6 7 8 / 9 10 11"},
    {"barcelona", "", 0, "3,scatter,core,subcompact", "0 1 2 3 4 5 6 7 / 8 9 10 11 / 12 13 14 15"},
    {"barcelona", "", 0, "2,compact,2,subcompact", "0 1 / 2 3"},
    {"barcelona", "", 0, "4,compact,4,scatter", "0 4 8 12 / 1 5 9 13 / 2 6 10 14 / 3 7 11 15"},
    {"barcelona", "", 0, "8,scatter,2,subscatter",
     "0 1 / 2 3 / 4 5 / 6 7 / 8 9 / 10 11 / 12 13 / 14 15"},
    {"barcelona", "", 0, "5,scatter,3,subscatter", "0 1 2 / 3 4 5 / 6 7 8 / 9 10 11 / 12 14 15"},
    {"barcelona", "", 0, "2,scatter,2,compact,3,subcompact", "0 1 2 / 4 5 6 / 8 9 10 / 12 13 14"},
    {"barcelona", "", 0, "9,compact,2,subcompact",
     "0 0 / 1 2 / 3 4 / 5 6 / 7 7 / 8 9 / 10 11 / 12 13 / 14 15"},
    {"barcelona", "0-4", 0, "2,scatter", "0 4"},
    {"barcelona", "0-8,12", 0, "numa,scatter,core,subcompact", "0 1 2 3 / 4 5 6 7 / 8 / 12"},
    {"barcelona", "0-12", 0, "4,scatter,2,subscatter", "0 1 / 2 3 / 4 6 / 8 10"},
    {"tigerton", "", 0, "4,scatter,2,subscatter", "0 2 / 4 6 / 8 10 / 12 14"},
    {"tigerton", "", 0, "4,scatter,2,subcompact", "0 1 / 4 5 / 8 9 / 12 13"},
    {"tigerton", "", 0, "2,compact,3,subcompact", "0 1 2 / 4 5 6"},
    {"scalemp", "", 0, "13,scatter,4,subscatter",
     "0 2 4 6 / 8 10 12 14 / 16 18 20 22 / 24 26 28 30 / 32 34 36 38 / 40 42 44 46 / 48 50 52 54 / "
     "56 58 60 62 / 64 66 68 70 / 72 74 76 78 / 80 82 84 86 / 88 90 92 94 / 96 98 100 102"},
    {"scalemp", "", 0, "1,scatter,4,subscatter", "0 2 4 6"},
    {"scalemp", "", 0, "1,scatter,9,subscatter", "0 1 2 4 6 8 10 12 14"},
    {"scalemp", "", 0, "26,scatter,4,subcompact",
     "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15 / 16 17 18 19 / 20 21 22 23 / 24 25 26 27 / 28 "
     "29 30 31 / 32 33 34 35 / 36 37 38 39 / 40 41 42 43 / 44 45 46 47 / 48 49 50 51 / 52 53 54 55 "
     "/ 56 57 58 59 / 60 61 62 63 / 64 65 66 67 / 68 69 70 71 / 72 73 74 75 / 76 77 78 79 / 80 81 "
     "82 83 / 84 85 86 87 / 88 89 90 91 / 92 93 94 95 / 96 97 98 99 / 100 101 102 103"},
    {"bielefeld", "", 0, "15,scatter,8,subscatter",
     "0 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 15 / 16 17 18 19 20 21 22 23 / 24 25 26 27 28 29 30 31 "
     "/ 32 33 34 35 36 37 38 39 / 40 41 42 43 44 45 46 47 / 48 49 50 51 52 53 54 55 / 56 57 58 59 "
     "60 61 62 63 / 64 65 66 67 68 69 70 71 / 72 73 74 75 76 77 78 79 / 80 81 82 83 84 85 86 87 / "
     "88 89 90 91 92 93 94 95 / 96 97 98 99 100 101 102 103 / 104 105 106 107 108 109 110 111 / "
     "112 113 114 115 116 117 118 119"},
    {"bielefeld", "", 0, "60,scatter,2,subscatter",
     "0 1 / 2 3 / 4 5 / 6 7 / 8 9 / 10 11 / 12 13 / 14 15 / 16 17 / 18 19 / 20 21 / 22 23 / 24 25 "
     "/ 26 27 / 28 29 / 30 31 / 32 33 / 34 35 / 36 37 / 38 39 / 40 41 / 42 43 / 44 45 / 46 47 / 48 "
     "49 / 50 51 / 52 53 / 54 55 / 56 57 / 58 59 / 60 61 / 62 63 / 64 65 / 66 67 / 68 69 / 70 71 / "
     "72 73 / 74 75 / 76 77 / 78 79 / 80 81 / 82 83 / 84 85 / 86 87 / 88 89 / 90 91 / 92 93 / 94 "
     "95 / 96 97 / 98 99 / 100 101 / 102 103 / 104 105 / 106 107 / 108 109 / 110 111 / 112 113 / "
     "114 115 / 116 117 / 118 119"},
    {"nehalem-sun", "", 0, "2,scatter,4,subcompact",
     "{0,8} {1,9} {2,10} {3,11} / {4,12} {5,13} {6,14} {7,15}"},
    {"nehalem-hp", "", 0, "2,scatter,4,subcompact",
     "{0,8} {2,10} {4,12} {6,14} / {1,9} {3,11} {5,13} {7,15}"},
    {"nehalem-sun", "", 0, "4,scatter,4,subcompact", "0 8 1 9 / 2 10 3 11 / 4 12 5 13 / 6 14 7 15"},
    {"nehalem-sun", "", 0, "9,compact", "{0,8} {1,9} {2,10} {3,11} {4,12} {5,13} {6,14} 7 15"},
    {"nehalem-sun", "", 0, "3,scatter,3,subscatter",
     "{0,8} {1,9} {2,10} / {3,11} {4,12} {5,13} / {6,14} 7 15"},
    {"pack:2 numa:2 core:4 pu:1", "", 0, "2,scatter,4,subscatter", "0 1 2 3 / 8 9 10 11"},
    {"pack:2 numa:2 core:4 pu:1", "", 0, "2,scatter,8,subscatter",
     "0 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 15"},
};

}  // namespace

TEST_CASE("every example gives its exact rows") {
  for (const Example& example : kExamples) {
    INFO(example.machine << " " << example.cpus << ": " << example.spec);
    CHECK(planned::rows({example.machine, example.cpus, example.smt}, example.spec) ==
          example.rows);
  }
}
