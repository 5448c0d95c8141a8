/* SPDX-License-Identifier: BSD-3-Clause */
/* The directives of OpenMP, with braces. Each thread of a team prints the labels "all_". */
#include <omp.h>
#include <stdio.h>

void show_row(const char *label, int length);
void say_number(const char *label, int length, int number);
#define ROW(label) show_row(label, sizeof label - 1)
#define TELL(label, number) say_number(label, sizeof label - 1, number)
#include "inner.h"

static int own = 5;
#pragma omp threadprivate(own)

#pragma omp declare reduction(largest : int : omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = -1)

#pragma omp declare simd notinbranch
static int twice(int n) { return 2 * n; }

static void plain_regions(void) {
  int n = 2, shared = 0, first = 3, kept = 0;
#pragma omp parallel
  {
    ROW("all_plain");
  }
#pragma omp parallel num_threads(n) if (n > 1) default(none) shared(shared) firstprivate(first) proc_bind(spread)
  {
    ROW("all_clauses");
#pragma omp atomic
    shared += first;
  }
  TELL("clauses", shared);
#pragma omp parallel if (parallel : n < 0) firstprivate(first) private(kept)
  {
    kept = first;
    TELL("serial", omp_get_num_threads() + kept);
  }
  own = 7;
#pragma omp parallel num_threads(2) copyin(own) reduction(+ : kept)
  {
    kept += own;
    ROW("all_copyin");
  }
  TELL("copyin", kept);
#pragma omp parallel num_threads(2) reduction(largest : kept)
  { kept = omp_get_thread_num() + 20; }
  TELL("declared", kept);
#pragma omp parallel num_threads(2) reduction(task, + : shared)
  {
#pragma omp task in_reduction(+ : shared)
    { shared += 1; }
  }
  TELL("task_reduction", shared);
}

static void loops(void) {
  int sum = 0, last = 0, i, j, linear = 0;
  int values[64];
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (i = 0; i < 2; ++i) {
    ROW("all_for");
  }
#pragma omp parallel for num_threads(2) collapse(2) schedule(static) lastprivate(last) reduction(+ : sum)
  for (i = 0; i < 8; ++i) {
    for (j = 0; j < 8; ++j) {
      sum += i * j;
      last = i + j;
    }
  }
  TELL("collapse", sum + last);
#pragma omp parallel for default(none) shared(values) firstprivate(sum) lastprivate(last, i) private(j) num_threads(2)
  for (i = 0; i < 64; ++i) {
    j = i;
    values[i] = last = sum * 0 + j;
  }
  TELL("none", values[63] + last + i);
#pragma omp parallel for ordered num_threads(2) schedule(static, 1)
  for (i = 0; i < 4; ++i) {
#pragma omp ordered
    { TELL("ordered", i); }
  }
#pragma omp parallel for linear(linear : 2) num_threads(2)
  for (i = 0; i < 8; ++i) {
    values[i] = linear;
    linear += 2;
  }
  TELL("linear", linear + values[7]);
#pragma omp parallel for simd num_threads(2) default(none) shared(values) private(j) reduction(+ : sum) safelen(8) linear(linear)
  for (i = 0; i < 64; ++i) {
    j = twice(i);
    values[i] = j;
    sum += j;
    ++linear;
  }
  TELL("simd", sum + values[63]);
#pragma omp parallel loop num_threads(2) reduction(+ : sum) bind(thread) private(j)
  for (i = 0; i < 64; ++i) {
    j = values[i];
    sum += j;
  }
  TELL("loop", sum);
#pragma omp parallel for ordered(1) num_threads(2) schedule(static, 1)
  for (i = 1; i < 8; ++i) {
#pragma omp ordered depend(sink : i - 1)
    values[i] = values[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  TELL("doacross", values[7]);
#pragma omp parallel for reduction(inscan, + : sum) num_threads(2)
  for (i = 0; i < 8; ++i) {
    sum += i;
#pragma omp scan inclusive(sum)
    values[i] = sum;
  }
  TELL("scan", values[7]);
#pragma omp parallel num_threads(2)
  {
    ROW("all_loops");
#pragma omp for nowait schedule(dynamic, 3)
    for (i = 0; i < 8; ++i) {
#pragma omp atomic
      sum += 1;
    }
#pragma omp for simd
    for (i = 0; i < 8; ++i) values[i] += 1;
#pragma omp simd
    for (j = 0; j < 8; ++j) {
    }
  }
  TELL("inside", sum + values[0]);
}

static void sharing(void) {
  int sum = 0, copy = 0;
#pragma omp parallel sections num_threads(2) reduction(+ : sum)
  {
#pragma omp section
    {
      ROW("sections");
      sum += 1;
    }
#pragma omp section
    {
      ROW("sections");
      sum += 2;
    }
  }
  TELL("sections", sum);
#pragma omp parallel master num_threads(2) default(shared)
  {
    ROW("master");
    sum += 1;
  }
#pragma omp parallel masked filter(1) num_threads(2)
  {
    ROW("masked");
    sum += omp_get_thread_num();
  }
#pragma omp parallel num_threads(2) default(none) shared(sum) private(copy)
  {
#pragma omp single copyprivate(copy)
    { copy = 4; }
#pragma omp critical(adding)
    { sum += copy; }
#pragma omp barrier
#pragma omp critical
    { sum += copy; }
#pragma omp master
    { sum += 100; }
#pragma omp masked
    { sum += 1000; }
#pragma omp flush
#pragma omp scope nowait
    { ROW("all_none"); }
  }
  TELL("shared", sum);
}

static int fibonacci(int n) {
  int a = 0, b = 0;
  if (n < 2) return n;
#pragma omp task shared(a) if (n > 5) final(n < 4) mergeable
  { a = fibonacci(n - 1); }
#pragma omp task shared(b) untied
  { b = fibonacci(n - 2); }
#pragma omp taskwait
  return a + b;
}

static void tasks(void) {
  int result = 0, values[16], i, x = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    { result = fibonacci(8); }
  }
  TELL("tasks", result);
#pragma omp parallel master taskloop num_threads(2) default(none) shared(values) private(x) grainsize(4) firstprivate(result)
  for (i = 0; i < 16; ++i) {
    x = i + result * 0;
    values[i] = x;
  }
  TELL("taskloop", values[15]);
#pragma omp parallel masked taskloop simd num_threads(2) reduction(+ : result) collapse(1) if (values[0] == 0)
  for (i = 0; i < 16; ++i) {
    result += values[i];
  }
  TELL("taskloop_simd", result);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task depend(out : x) default(none) shared(x)
        {
#pragma omp parallel num_threads(2) default(none) shared(x)
          {
            ROW("in_task");
#pragma omp atomic write
            x = 3;
          }
        }
#pragma omp task depend(in : x)
        { TELL("depend", x); }
#pragma omp taskyield
      }
    }
  }
}

static void nested(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) default(none) reduction(+ : sum)
  {
#pragma omp parallel num_threads(2) default(none) reduction(+ : sum)
    {
      ROW("all_nested");
      sum += omp_get_level();
    }
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int i = 0; i < 2; ++i) {
      ROW("all_nested_for");
    }
  }
  TELL("nested", sum);
}

static void teams(void) {
  int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 8; ++i) {
    sum += i;
  }
#pragma omp target map(tofrom : sum)
  {
#pragma omp teams num_teams(1) reduction(+ : sum)
    {
#pragma omp parallel num_threads(2) reduction(+ : sum)
      { sum += 1; }
    }
  }
#pragma omp target parallel for map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 8; ++i) {
    sum += i;
  }
  TELL("target", sum);
}

static void cancelled(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp for
  for (int i = 0; i < 64; ++i) {
#pragma omp cancel for if (i == 70)
#pragma omp cancellation point for
#pragma omp atomic
    done += 1;
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp cancel parallel if (done < 0)
    ROW("all_cancel");
  }
  TELL("cancel", done);
}

int main(void) {
  plain_regions();
  loops();
  sharing();
  tasks();
  nested();
  teams();
  cancelled();
  TELL("header", in_header());
  return 0;
}
