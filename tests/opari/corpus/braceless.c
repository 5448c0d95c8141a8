/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions whose body is one statement without braces, and comments and strings that could hide the
 * end of the statement. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

void show_row(const char *label, int length);
void say_number(const char *label, int length, int number);
#define ROW(label) show_row(label, sizeof label - 1)
#define TELL(label, number) say_number(label, sizeof label - 1, number)
#define PRAGMA(text) _Pragma(#text)
#define PARALLEL(n) PRAGMA(omp parallel num_threads(n))
#define PARALLEL_FOR PRAGMA(omp parallel for num_threads(2) schedule(static, 1))
#define BOTH(call) PARALLEL(2) { call; }
#define SUM_OF(n, sum) PRAGMA(omp parallel for reduction(+ : sum)) for (int k = 0; k < (n); ++k) sum += k

static int sum;

static void add(int n) {
#pragma omp atomic
  sum += n;
}

static void statements(int one) {
  int i;
#pragma omp parallel num_threads(2)
  ROW("all_call");
#pragma omp parallel num_threads(2)
  for (int k = 0; k < 3; ++k)
    if (k == one)
      ROW("all_for");
    else
      add(1);
#pragma omp parallel num_threads(2)
  if (one == 1) ROW("all_if");
#pragma omp parallel num_threads(2)
  if (one != 1)
    add(1000);
  else if (one == 1) {
    ROW("all_else");
  } else
    add(1000);
#pragma omp parallel num_threads(2) private(i)
  do
    i = one;
  while (i < 1);
#pragma omp parallel num_threads(2) private(i)
  do {
    i = one;
    ROW("all_do");
  } while (i < 1);
#pragma omp parallel num_threads(2) private(i)
  while (add(2), 0)
    ;
#pragma omp parallel num_threads(2)
  switch (one) {
    case 1:
      ROW("all_switch");
      break;
    default: add(1000);
  }
#pragma omp parallel num_threads(2)
  ;
#pragma omp parallel num_threads(2)
label:
  one == 1 ? ROW("all_label") : ROW("wrong");
  if (one == 2) goto label_behind;
#pragma omp parallel num_threads(2)
#pragma omp for schedule(static, 1)
  for (i = 0; i < 2; ++i) ROW("all_two");
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int k = 0; k < 2; ++k) add(1);
#pragma omp parallel num_threads(2)
#pragma omp single nowait
  if (one)
    add(1);
  else
    add(2);
#pragma omp parallel num_threads(2)
#pragma omp critical
  do {
    add(1);
  } while (0);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  ROW("all_twice");
label_behind:
  TELL("statements", sum);
}

static void around(int one) {
  if (one)
#pragma omp parallel num_threads(2)
    ROW("all_in_if");
  else
#pragma omp parallel num_threads(2)
    add(1000);
  for (int k = 0; k < 2; ++k)
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; ++i) add(k);
  switch (one) {
    case 0:
    case 1:
#pragma omp parallel num_threads(2)
      ROW("all_case");
      break;
    default:
#pragma omp parallel num_threads(2)
      add(1000);
  }
  TELL("around", sum);
}

static void loops(void) {
  int i, j, total = 0;
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (i = 0; i < 2; ++i) ROW("all_loop");
#pragma omp parallel for collapse(2) num_threads(2) private(j) reduction(+ : total)
  for (i = 0; i < 4; ++i)
    for (j = 0; j < 4; ++j)
      if (i > j)
        total += i;
      else
        total -= 1;
#pragma omp parallel for simd num_threads(2) reduction(+ : total)
  for (i = 0; i < 16; ++i) total += i;
#pragma omp parallel sections num_threads(2)
  {
    add(1);
#pragma omp section
    for (int k = 0; k < 2; ++k) add(k);
#pragma omp section
    add(3);
  }
#pragma omp parallel master num_threads(2)
  add(5);
#pragma omp parallel masked num_threads(2)
  if (total)
    add(7);
  else
    add(8);
#pragma omp parallel master taskloop num_threads(2)
  for (i = 0; i < 4; ++i) add(i);
#pragma omp parallel for num_threads(2)
  for (i = 0; i < 4; ++i) add(i);
  TELL("loops", total + sum);
}

static void texts(void) {
  const char *brace = "}\"{;";
  char quote = '"', other = '\'';
#pragma omp parallel num_threads(2)
  printf("%s", strchr(brace, '}') && quote != '{' ? "" : "};{");
#pragma omp parallel num_threads(2) /* { a comment ; */ if (brace[0] == '}' /* ; */) // }
  { /* } */ // }
    if (other == '\'' || other == '}') ROW("all_comment"); // ;
  } /* { */
#pragma \
  omp \
  parallel \
    num_threads(2) /* on */ \
    reduction(+ \
              : sum)
  sum += 1;
# pragma omp parallel num_threads(strlen("(\")") > 2 ? 2 : 3)
  ROW("all_odd");
#	pragma	omp	parallel	num_threads ( 2 )	private(quote)
<%
  ROW("all_digraphs");
%>
#pragma omp parallel num_threads(2), default(shared) , firstprivate( quote , other )
  { __extension__({ int k = quote; add(k * 0); }); } TELL("behind", sum);
  TELL("text", (int)strlen("#pragma omp parallel {"));
  TELL("long", (int)strlen("\
#pragma omp parallel\
{"));
}

static void macros(void) {
  int total = 0;
  PARALLEL(2) ROW("all_macro");
  PARALLEL_FOR for (int i = 0; i < 2; ++i) ROW("all_macro_for");
  BOTH(ROW("all_both")) BOTH(add(1)) TELL("both", sum);
  SUM_OF(10, total);
  TELL("sum_of", total);
  _Pragma("omp parallel num_threads(2)") _Pragma("omp master") TELL("pragmas", 1);
#ifdef NOT_DEFINED
#pragma omp parallel num_threads(7)
  {
#else
#pragma omp parallel num_threads(2)
  {
#endif
    ROW("all_conditional");
  }
}

static void vla(int n) {
  int values[n];
  struct { int x, y; } pair = {1, 2};
  memset(values, 0, sizeof values);
#pragma omp parallel for num_threads(2) reduction(+ : values[0 : 3])
  for (int i = 0; i < n; ++i) values[i % 3] += i;
#pragma omp parallel num_threads(pair.y) firstprivate(pair)
  pair = (typeof(pair)){3, 4}, ROW("all_struct");
  TELL("vla", values[0] + values[1] * 10 + values[2] * 100 + pair.x);
}

int main(void) {
  statements(1);
  around(1);
  loops();
  texts();
  macros();
  vla(9);
  return 0;
}
