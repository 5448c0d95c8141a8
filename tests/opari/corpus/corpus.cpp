// SPDX-License-Identifier: BSD-3-Clause
// C++: regions in templates, lambda expressions, members and constructors, and forms in which the
// end of a statement is hard to find. Each thread of a team prints the labels "all_".
#include <omp.h>

#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" void show_row(const char *label, int length);
extern "C" void say_number(const char *label, int length, int number);

template <std::size_t N>
inline void row(const char (&label)[N]) {
  show_row(label, static_cast<int>(N) - 1);
}
template <std::size_t N>
inline void tell(const char (&label)[N], int number) {
  say_number(label, static_cast<int>(N) - 1, number);
}

#define PRAGMA(text) _Pragma(#text)

namespace outer {
struct Sum {
  int value = 0;
  Sum &operator+=(const Sum &other) {
    value += other.value;
    return *this;
  }
};
#pragma omp declare reduction(plus : Sum : omp_out += omp_in) initializer(omp_priv = Sum())
}  // namespace outer

static int own = 1;
#pragma omp threadprivate(own)

template <typename T, int kThreads>
T total(const std::vector<T> &values) {
  T sum{};
#pragma omp parallel for reduction(+ : sum) num_threads(kThreads) schedule(static)
  for (auto i = values.begin(); i < values.end(); ++i) sum += *i;
#pragma omp parallel num_threads(kThreads)
  row("all_template");
  return sum;
}

class Grid {
 public:
  explicit Grid(int size) : cells_(static_cast<std::size_t>(size)) {
#pragma omp parallel for num_threads(2)
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] = static_cast<int>(i);
  }
  ~Grid() {
#pragma omp parallel num_threads(2)
    row("all_destructor");
  }
  int sum() const {
    int result = 0;
#pragma omp parallel for default(none) reduction(+ : result) num_threads(2)
    for (auto cell : cells_) result += cell;
    return result;
  }
  int count(int offset) {
#pragma omp parallel for num_threads(2) firstprivate(offset) collapse(2)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
#pragma omp atomic
        count_ += offset;
    return count_;
  }
  template <typename Body>
  void each(Body &&body) const {
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int i = 0; i < 2; ++i) body(cells_[static_cast<std::size_t>(i)]);
  }

 private:
  std::vector<int> cells_;
  int count_ = 0;
};

static void lambdas() {
  int hits = 0;
  const auto fork = [&hits](auto &&body) {
#pragma omp parallel num_threads(2)
    body([&](int n) {
#pragma omp atomic
      hits += n;
    });
  };
  fork([](auto add) { add(2), row("all_lambda"); });
  [] {
#pragma omp parallel num_threads([] { return 2; }())
    row("all_in_lambda");
  }();
  const std::function<int(int)> work = [=](int n) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < n; ++i) std::invoke([&](int k) { if (k > 1) { sum += k; } }, i);
    return sum;
  };
  tell("lambdas", hits + work(5));
  std::vector<int> order(8);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 8; ++i) std::generate_n(&order[static_cast<std::size_t>(i)], 1, [i] { return i; });
  tell("generated", std::accumulate(order.begin(), order.end(), 0));
}

static void statements(int one) {
  int caught = 0;
#pragma omp parallel num_threads(2) reduction(+ : caught)
  try {
    if (one) throw std::runtime_error("}");
  } catch (const std::logic_error &) {
    caught += 100;
  } catch (const std::exception &error) {
    caught += error.what()[0] == '}';
    row("all_try");
  }
#pragma omp parallel num_threads(2)
  if constexpr (sizeof(int) == 4)
    row("all_constexpr");
  else
    row("wrong");
#pragma omp parallel num_threads(2)
  if (const int two = one + 1; two == 2) {
    row("all_if_init");
  } else {
    row("wrong");
  }
#pragma omp parallel num_threads(2)
  for (const auto &[key, value] : std::map<int, int>{{1, 1'000'000}, {2, 0x1'0}})
    if (key == 1 && value == 1'000'000) row("all_binding");
#pragma omp parallel num_threads(2)
  [[maybe_unused]] label : row("all_label");
#pragma omp parallel num_threads(2)
  std::string{R"(}{;"#pragma omp parallel)"}.empty() ? row("wrong") : row("all_raw");
#pragma omp parallel num_threads(2)
  std::vector<std::vector<int>>{{1, 2}, {3}}.size() > 1 ? row("all_list") : row("wrong");
#pragma omp parallel num_threads(2) if (std::string(")").size() == 1 && ")"[0] == ')')
  ::row("all_scope");
#pragma omp parallel num_threads(2)
  do
    if (one) {
      row("all_do");
    }
  while (one == 2);
  tell("statements", caught);
}

static const char *const kText = R"text(
#pragma omp parallel
{ "not a region"
)text";

static void clauses() {
  outer::Sum sum;
  using outer::Sum;
#pragma omp parallel num_threads(2) reduction(outer::plus : sum)
  {
    sum.value += 3;
    row("all_declared");
  }
  tell("declared", sum.value);
  int last = 0, first = 1;
  std::array<int, 4> values{};
#pragma omp parallel for firstprivate(first) lastprivate(last) default(none) shared(values) num_threads(2)
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = first;
    last = static_cast<int>(i);
  }
  tell("last", last + values[3]);
  std::complex<double> z{};
#pragma omp parallel for simd num_threads(2) lastprivate(last)
  for (int i = 0; i < 8; ++i) last = i;
#pragma omp parallel num_threads(2) copyin(own) private(z)
  {
    z = {1, own * 1.0};
    row("all_private");
  }
  auto owner = std::make_unique<int>(3);
#pragma omp parallel num_threads(*owner - 1) default(shared)
  {
#pragma omp single
    {
#pragma omp task firstprivate(last) shared(owner)
      *owner += last;
    }
  }
  tell("owner", *owner);
#pragma omp parallel sections num_threads(2) lastprivate(last)
  {
#pragma omp section
    { last = 1; }
#pragma omp section
    { last = 2; }
  }
  tell("sections", last);
#pragma omp parallel masked taskloop num_threads(2) default(shared) lastprivate(last)
  for (int i = 0; i < 4; ++i) last = i;
  tell("taskloop", last);
  PRAGMA(omp parallel for num_threads(2) schedule(static, 1)) for (int i = 0; i < 2; ++i) row("all_macro");
}

static void nested() {
  std::array<int, 2> inner{};
#pragma omp parallel num_threads(2)
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    [&inner, me] {
      int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum) default(none)
      sum += 1, row("all_nested");
      inner[me] = sum;
    }();
  }
  tell("nested", inner[0] + inner[1]);
}

inline int in_function_try() try {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  { sum += 1; }
  if (sum != 2) throw sum;
  return sum;
} catch (int wrong) {
  return -wrong;
}

int main() {
  tell("int", total<int, 2>({1, 2, 3}));
  tell("double", static_cast<int>(total<double, 2>({1, 2, 3})));
  {
    Grid grid(10);
    tell("grid", grid.sum() + grid.count(2));
    grid.each([](int cell) { if (cell >= 0) { row("all_each"); } });
  }
  lambdas();
  statements(1);
  clauses();
  nested();
  tell("function_try", in_function_try());
  tell("text", static_cast<int>(std::string(kText).size()));
  return 0;
}
