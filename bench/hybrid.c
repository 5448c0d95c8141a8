/* SPDX-License-Identifier: BSD-3-Clause */
/* A five-point stencil with MPI and nested OpenMP: hybrid Y Z [ROWS COLUMNS STEPS]. Each rank
 * computes ROWS rows with Y teams of Z threads. The printed sum of all cells does not depend on Y
 * and Z. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRows = 2000, kColumns = 4000, kSteps = 50 };

struct field {
  long rows, columns; /* without the rows that are copied from the two neighbours */
  long first;         /* number of the first row, counted over all ranks */
  double *now, *next;
};

static double *row_of(double *cells, const struct field *field, long row) {
  return cells + (row + 1) * field->columns;
}

/* A thread has the same rows in each call of each_row. */
static void each_row(struct field *field, int teams, int members,
                     void (*work)(struct field *, long)) {
#pragma omp parallel num_threads(teams)
  {
    const long first = field->rows * omp_get_thread_num() / teams;
    const long end = field->rows * (omp_get_thread_num() + 1) / teams;
#pragma omp parallel for num_threads(members) schedule(static)
    for (long row = first; row < end; ++row) {
      work(field, row);
    }
  }
}

static void fill(struct field *field, long row) {
  for (long column = 0; column < field->columns; ++column) {
    row_of(field->now, field, row)[column] =
        (double)(((field->first + row) * 7 + column * 3) & 255);
    row_of(field->next, field, row)[column] = 0;
  }
}

static void update(struct field *field, long row) {
  const double *above = row_of(field->now, field, row - 1), *here = row_of(field->now, field, row),
               *below = row_of(field->now, field, row + 1);
  double *next = row_of(field->next, field, row);
  for (long column = 1; column + 1 < field->columns; ++column) {
    next[column] = 0.25 * (above[column] + below[column] + here[column - 1] + here[column + 1]);
  }
}

static void exchange(struct field *field, int rank, int ranks) {
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL,
            down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  const int count = (int)field->columns;
  MPI_Sendrecv(row_of(field->now, field, 0), count, MPI_DOUBLE, up, 0,
               row_of(field->now, field, field->rows), count, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(row_of(field->now, field, field->rows - 1), count, MPI_DOUBLE, down, 1,
               row_of(field->now, field, -1), count, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static double sum_of(struct field *field) {
  double sum = 0;
  for (long row = 0; row < field->rows; ++row) {
    for (long column = 0; column < field->columns; ++column) {
      sum += row_of(field->now, field, row)[column];
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  int provided = 0, rank = 0, ranks = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int teams = argc > 1 ? atoi(argv[1]) : 0, members = argc > 2 ? atoi(argv[2]) : 0;
  struct field field = {argc > 3 ? atol(argv[3]) : kRows, argc > 4 ? atol(argv[4]) : kColumns, 0,
                        NULL, NULL};
  const int steps = argc > 5 ? atoi(argv[5]) : kSteps;
  const size_t bytes = sizeof(double) * (size_t)((field.rows + 2) * field.columns);
  field.now = malloc(bytes);
  field.next = malloc(bytes);
  if (teams < 1 || members < 1 || field.rows < 1 || field.columns < 3 || field.now == NULL ||
      field.next == NULL) {
    fputs("usage: hybrid Y Z [ROWS COLUMNS STEPS]\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  omp_set_max_active_levels(2);
  field.first = rank * field.rows;
  each_row(&field, teams, members, fill);
  memset(row_of(field.now, &field, -1), 0, sizeof(double) * (size_t)field.columns);
  memset(row_of(field.now, &field, field.rows), 0, sizeof(double) * (size_t)field.columns);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    exchange(&field, rank, ranks);
    each_row(&field, teams, members, update);
    double *const old = field.now;
    field.now = field.next;
    field.next = old;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - begin;
  double own = sum_of(&field), sum = 0;
  MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%.3f %.17g\n",
           1e-6 * (double)field.rows * (double)field.columns * ranks * steps / seconds, sum);
  }
  MPI_Finalize();
  return 0;
}
