// SPDX-License-Identifier: BSD-3-Clause
// C++: regions in templates, member functions, headers and lambda expressions, and a directive from
// a macro. Also standard headers, which the tools instrument together with the source.
#include "templates.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

extern "C" void show_row(const char* label, int length);

namespace {

struct Team {
  explicit Team(int size) : sizes(static_cast<std::size_t>(size)) {}
  template <typename Body>
  void fork(Body body) {
#pragma omp parallel num_threads(static_cast<int>(sizes.size()))
    body();
  }
  std::vector<int> sizes;
};

#define PRAGMA(text) _Pragma(#text)
#define PARALLEL_FOR_OF(n) PRAGMA(omp parallel for num_threads(n) schedule(static, 1))

void inner_lambda(int size) {
  std::vector<int> values(static_cast<std::size_t>(size), 1);
  auto sum = [&values](int extra) {
    int total = extra;
#pragma omp parallel for reduction(+ : total) num_threads(static_cast<int>(values.size()))
    for (std::size_t i = 0; i < values.size(); ++i) {
      total += values[i];
      show_row("lambda", 6);
    }
    return total;
  };
  if (sum(1) != size + 1) std::terminate();
}

}  // namespace

int main() {
  Team(4).fork([] { in_header(2); });
  const std::function<void()> function = [] { inner_lambda(2); };
  Team(4).fork(function);
  PARALLEL_FOR_OF(4)
  for (int i = 0; i < 4; ++i) {
    PARALLEL_FOR_OF(2)
    for (int j = 0; j < 2; ++j) {
      show_row("macro", 5);
    }
  }
  return 0;
}
