// SPDX-License-Identifier: BSD-3-Clause
// loops_cxx [CHECK]...: loops over iterators and ranges, in templates and in lambdas.
#include <array>
#include <stdexcept>
#include <vector>

#include "loops.h"

namespace {

counts g_counts;

template <typename Check>
bool for_each_team(Check check) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int size = 0; size < kSizes; size += 3)
      is_good = check(threads, loop_sizes()[size]) && is_good;
  }
  return is_good;
}

bool iterators_are_right() {
  return for_each_team([](int threads, int n) {
    std::vector<int> numbers(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) numbers[static_cast<size_t>(i)] = i;
    bool is_good = true;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(runtime)
      for (auto it = numbers.cbegin(); it < numbers.cend(); ++it)
        count_iteration(&g_counts, static_cast<uint64_t>(*it));
#pragma omp single
      is_good = each_once(&g_counts, static_cast<uint64_t>(n), "iterators");
#pragma omp for schedule(runtime)
      for (const int &number : numbers) count_iteration(&g_counts, static_cast<uint64_t>(number));
#pragma omp single
      is_good = each_once(&g_counts, static_cast<uint64_t>(n), "range") && is_good;
#pragma omp for schedule(dynamic)
      for (auto it = numbers.data() + n; it > numbers.data(); it -= 2) {
        count_iteration(&g_counts, static_cast<uint64_t>(numbers.data() + n - it) / 2);
      }
    }
    return each_once(&g_counts, static_cast<uint64_t>(n + 1) / 2, "pointers, down") && is_good;
  });
}

struct Object {
  static int alive;
  long value = -1;
  std::array<char, 40> more{};
  Object() { __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED); }
  explicit Object(long number) : Object() { value = number; }
  Object(const Object &other) : Object(other.value) {}
  Object &operator=(const Object &other) = default;
  ~Object() { __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED); }
};
int Object::alive = 0;

bool objects_are_right() {
  return for_each_team([](int threads, int n) {
    bool is_good = true;
    {
      Object last;
      const Object first(7);
      long sum = 0;
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime) lastprivate(last) reduction(+ : sum)
        for (int i = 0; i < n; ++i) {
          last = Object(i);
          work(static_cast<uint64_t>(n - i) / 4);
          sum += first.value;
        }
      }
      is_good = (n == 0 || last.value == n - 1) && sum == 7L * n;
      if (!is_good) TELL("%d threads, %d iterations: %ld, sum %ld", threads, n, last.value, sum);
    }
    if (Object::alive != 0)
      TELL("%d threads, %d iterations: %d objects too many", threads, n, Object::alive);
    return is_good && Object::alive == 0;
  });
}

template <typename T>
bool type_is_right(int threads, int n) {
  const T low = static_cast<T>(n % 2 == 0 ? 0 : 11);
#pragma omp parallel for num_threads(threads) schedule(runtime)
  for (T i = low; i < static_cast<T>(low + static_cast<T>(n)); ++i) {
    count_iteration(&g_counts, static_cast<uint64_t>(i - low));
  }
  return each_once(&g_counts, static_cast<uint64_t>(n), "template");
}

bool templates_are_right() {
  return for_each_team([](int threads, int n) {
    return type_is_right<short>(threads, n) && type_is_right<unsigned short>(threads, n) &&
           type_is_right<signed char>(threads, n % 100) && type_is_right<size_t>(threads, n);
  });
}

bool exceptions_are_right() {
  return for_each_team([](int threads, int n) {
    int caught = 0;
#pragma omp parallel for num_threads(threads) schedule(runtime) reduction(+ : caught)
    for (int i = 0; i < n; ++i) {
      try {
        count_iteration(&g_counts, static_cast<uint64_t>(i));
        if (i % 16 == 3) throw std::runtime_error("one");
      } catch (const std::runtime_error &) {
        ++caught;
      }
    }
    return each_once(&g_counts, static_cast<uint64_t>(n), "exceptions") && caught == (n + 12) / 16;
  });
}

}  // namespace

int main(int argc, char **argv) {
  static const check kChecks[] = {
      {"iterators", iterators_are_right},
      {"objects", objects_are_right},
      {"templates", templates_are_right},
      {"exceptions", exceptions_are_right},
      {nullptr, nullptr},
  };
  return run_checks(kChecks, argc, argv);
}
