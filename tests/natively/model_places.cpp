// SPDX-License-Identifier: BSD-3-Clause
// Asks the model of GCC's or LLVM's own binding (lib/command/advice/native_partition.hpp). Each
// line of the standard input has a runtime and the number of places. For each level the line has
// the team size and the word of OMP_PROC_BIND (primary, close, spread):
//
//     gnu|llvm PLACES SIZE,SIZE... WORD,WORD...
//
// For each line prints the place numbers of the innermost threads, in the order of their paths.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "advice/native_partition.hpp"

using namespace nestbind::advice;

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string runtime;
    int places = 0;
    std::string size_list;
    std::string bind_list;
    words >> runtime >> places >> size_list >> bind_list;
    std::vector<int> sizes;
    std::istringstream size_words(size_list);
    for (std::string size; std::getline(size_words, size, ',');) {
      sizes.push_back(std::stoi(size));
    }
    std::vector<Bind> binds;
    std::istringstream bind_words(bind_list);
    for (std::string bind; std::getline(bind_words, bind, ',');) {
      binds.push_back(bind == "spread"  ? Bind::kSpread
                      : bind == "close" ? Bind::kClose
                                        : Bind::kPrimary);
    }
    const Runtime of = runtime == "gnu" ? Runtime::kGnu : Runtime::kLlvm;
    const char* separator = "";
    for (const int place : places_of(of, places, sizes, binds)) {
      std::printf("%s%d", separator, place);
      separator = " ";
    }
    std::printf("\n");
  }
}
