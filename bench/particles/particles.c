/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles in cells: MPI ranks have cells, and OpenMP threads share the particles of a cell. Cells
 * are objects that move between ranks (nestbind/mpi.h).
 *
 *   mpicc -O2 -fopenmp -I../../include particles.c -o particles -lm [-L... -lnestbind]
 *   mpirun -n 4 nestbind run --schedule=hybrid -- ./particles --cells 16 --steps 100
 *
 * A particle's path depends only on its own data and on counts, and sums are made in the order of
 * cells and ids. So the checksum is the same, to the bit, for every number of ranks and threads. */
#include <math.h>
#include <mpi.h>
#include <nestbind/mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kGrid = 8, kMostSubsteps = 15, kLit = 4 };

struct particle {
  double x, y, vx, vy;
  long id;
};

struct cell {
  int count, room;
  struct particle *particles;
  long work; /* substeps of this step */
};

static struct {
  int cells; /* in each direction */
  long particles;
  int steps;
  int shift;       /* the lit cells change after this number of steps; 0: no cells are lit */
  int ranks_alike; /* ranks of this number are a node, for tests on one machine */
  double noise;
  double drift; /* of the cloud in a step, as a part of the grid */
  double heat;  /* speed of all other movement */
  double unit;  /* seconds of a substep, if loads are counted */
  const char *load, *record, *log;
} want = {16, 100000, 100, 0, 0, 0, 0.006, 1, 1e-6, "counted", NULL, NULL};

static int rank, ranks, *owner;
static struct cell *cells;
static MPI_Comm world;

static double fraction(unsigned long *state) {
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(*state >> 11) * 0x1p-53;
}

static double normal(unsigned long *state) {
  const double u = fraction(state), v = fraction(state);
  return sqrt(-2 * log(1 - u)) * cos(2 * 3.14159265358979323846 * v);
}

static double wrapped(double at) {
  at = fmod(at, want.cells);
  at = at < 0 ? at + want.cells : at;
  return at < want.cells ? at : 0;
}

static int cell_of(const struct particle *p) { return (int)p->y * want.cells + (int)p->x; }

static void add(struct cell *to, const struct particle *p) {
  if (to->count == to->room) {
    to->room = 2 * to->room + 16;
    to->particles = realloc(to->particles, (size_t)to->room * sizeof(*p));
    if (to->particles == NULL) {
      MPI_Abort(world, 1);
    }
  }
  to->particles[to->count++] = *p;
}

/* Two thirds of the particles are everywhere. A third is in a cloud that drifts. */
static void begin(void) {
  for (long i = 0; i < want.particles; ++i) {
    unsigned long state = (unsigned long)i * 2654435761ul + 12345;
    struct particle p;
    for (int k = 0; k < 4; ++k) {
      fraction(&state);
    }
    p.id = i;
    if (i % 3 != 0) {
      p.x = wrapped(want.cells * fraction(&state));
      p.y = wrapped(want.cells * fraction(&state));
      p.vx = 0.05 * want.heat * normal(&state);
      p.vy = 0.05 * want.heat * normal(&state);
    } else {
      p.x = wrapped(want.cells / 2.0 + 0.1 * want.cells * normal(&state));
      p.y = wrapped(want.cells / 8.0 + 0.1 * want.cells * normal(&state));
      p.vx = 0.01 * want.heat * normal(&state);
      p.vy = want.drift * want.cells + 0.01 * want.heat * normal(&state);
    }
    if (owner[cell_of(&p)] == rank) {
      add(&cells[cell_of(&p)], &p);
    }
  }
}

static int point_of(const struct particle *p) {
  return (int)((p->y - floor(p->y)) * kGrid) * kGrid + (int)((p->x - floor(p->x)) * kGrid);
}

static int compare(const void *a, const void *b) {
  const struct particle *p = a, *q = b;
  const int of_p = point_of(p), of_q = point_of(q);
  return of_p != of_q ? (of_p < of_q ? -1 : 1) : p->id < q->id ? -1 : p->id > q->id;
}

/* A quarter of all rows of cells is lit in one half of each cell. After each `shift` steps it is
 * another quarter. */
static int is_lit(int cell, int step) {
  const int band = (cell / want.cells) * 4 / want.cells;
  return want.shift > 0 && band == (step / want.shift * 3) % 4;
}

/* In dense places particles need more substeps. So the particles of a place, which are neighbours
 * in the loop, take longer. */
static int substeps(const int *density, const struct particle *p, int is_hot) {
  const double mean = (double)want.particles / want.cells / want.cells / kGrid / kGrid;
  const int dense = (int)(density[point_of(p)] / mean);
  return (1 + (dense < kMostSubsteps ? dense : kMostSubsteps)) *
         (is_hot && point_of(p) < kGrid * kGrid / 2 ? kLit : 1);
}

static void push(struct cell *cell, int number, int step, const double *mass, FILE *record) {
  int density[kGrid * kGrid] = {0};
  const int hot = is_lit(number, step), n = want.cells, x = number % n, y = number / n;
  const double east = mass[y * n + (x + 1) % n], west = mass[y * n + (x + n - 1) % n];
  const double north = mass[(y + 1) % n * n + x], south = mass[(y + n - 1) % n * n + x];
  const double pull = 1e-9, ax = pull * (east - west), ay = pull * (north - south);
  long work = 0;
  qsort(cell->particles, (size_t)cell->count, sizeof(struct particle), compare);
  for (int i = 0; i < cell->count; ++i) {
    ++density[point_of(&cell->particles[i])];
  }
  if (record != NULL) {
    fwrite(&cell->count, sizeof(int), 1, record);
    for (int i = 0; i < cell->count; ++i) {
      fputc(substeps(density, &cell->particles[i], hot), record);
    }
  }
#pragma omp parallel for schedule(runtime) reduction(+ : work)
  for (int i = 0; i < cell->count; ++i) {
    struct particle *const p = &cell->particles[i];
    const int parts = substeps(density, p, hot);
    for (int part = 0; part < parts; ++part) {
      const double speed = sqrt(p->vx * p->vx + p->vy * p->vy);
      const double turn = speed > 0.2 ? 0.999 : 1;
      p->vx = turn * p->vx + ax / parts;
      p->vy = turn * p->vy + ay / parts;
      p->x += p->vx / parts;
      p->y += p->vy / parts;
    }
    p->x = wrapped(p->x);
    p->y = wrapped(p->y);
    work += parts;
  }
  cell->work = work;
}

/* Particles that have left their cell go to the rank of their new cell. */
static void migrate(void) {
  int *counts = calloc(4 * (size_t)ranks, sizeof(int));
  int *const into = counts + ranks, *const from = into + ranks, *const at = from + ranks;
  struct particle *out, *in;
  int leaving = 0, arriving = 0;
  const int size = (int)sizeof(struct particle);
  for (int c = 0; c < want.cells * want.cells; ++c) {
    for (int i = 0; owner[c] == rank && i < cells[c].count; ++i) {
      counts[owner[cell_of(&cells[c].particles[i])]] += cell_of(&cells[c].particles[i]) != c;
    }
  }
  for (int r = 0; r < ranks; ++r) {
    at[r] = leaving;
    leaving += counts[r];
  }
  out = malloc(((size_t)leaving + 1) * sizeof(*out));
  for (int c = 0; c < want.cells * want.cells; ++c) {
    int kept = 0;
    for (int i = 0; owner[c] == rank && i < cells[c].count; ++i) {
      const struct particle p = cells[c].particles[i];
      if (cell_of(&p) != c) {
        out[at[owner[cell_of(&p)]]++] = p;
      } else {
        cells[c].particles[kept++] = p;
      }
    }
    cells[c].count = kept;
  }
  MPI_Alltoall(counts, 1, MPI_INT, into, 1, MPI_INT, world);
  for (int r = 0; r < ranks; ++r) {
    at[r] = (at[r] - counts[r]) * size;
    from[r] = arriving * size;
    arriving += into[r];
    counts[r] *= size;
    into[r] *= size;
  }
  in = malloc(((size_t)arriving + 1) * sizeof(*in));
  MPI_Alltoallv(out, counts, at, MPI_BYTE, in, into, from, MPI_BYTE, world);
  for (int i = 0; i < arriving; ++i) {
    add(&cells[cell_of(&in[i])], &in[i]);
  }
  free(out);
  free(in);
  free(counts);
}

static void move(const struct nestbind_balance_move *moves, int count, int all) {
  MPI_Request *requests = malloc(((size_t)count + 1) * sizeof(*requests));
  int sent = 0;
  const int size = (int)sizeof(struct particle);
  for (int i = 0; i < count; ++i) {
    const struct nestbind_balance_move m = moves[i];
    if (m.from == rank && m.to != rank) {
      MPI_Isend(cells[m.id].particles, cells[m.id].count * size, MPI_BYTE, m.to, (int)m.id, world,
                &requests[sent++]);
    }
  }
  for (int i = 0; i < count; ++i) {
    const struct nestbind_balance_move m = moves[i];
    if (m.to == rank && m.from != rank) {
      struct cell *const cell = &cells[m.id];
      MPI_Status status;
      int bytes;
      MPI_Probe(m.from, (int)m.id, world, &status);
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      cell->room = cell->count = bytes / size;
      cell->particles = malloc((size_t)bytes + 1);
      MPI_Recv(cell->particles, bytes, MPI_BYTE, m.from, (int)m.id, world, MPI_STATUS_IGNORE);
    }
  }
  if (sent > 0) {
    MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < count; ++i) {
    const struct nestbind_balance_move m = moves[i];
    if (m.from == rank && m.to != rank) {
      free(cells[m.id].particles);
      memset(&cells[m.id], 0, sizeof(struct cell));
      owner[m.id] = -1;
    } else if (m.to == rank) {
      owner[m.id] = rank;
    }
  }
  if (all > 0) { /* all ranks know where all cells are */
    for (int c = 0; c < want.cells * want.cells; ++c) {
      owner[c] = owner[c] == rank ? rank : -1;
    }
    MPI_Allreduce(MPI_IN_PLACE, owner, want.cells * want.cells, MPI_INT, MPI_MAX, world);
  }
  free(requests);
}

/* Sums over cells, each from its owner: adding zeros changes no bit. */
static void masses(double *mass) {
  memset(mass, 0, (size_t)(want.cells * want.cells) * sizeof(double));
  for (int c = 0; c < want.cells * want.cells; ++c) {
    mass[c] = owner[c] == rank ? cells[c].count : 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, mass, want.cells * want.cells, MPI_DOUBLE, MPI_SUM, world);
}

static double checksum(void) {
  const int count = want.cells * want.cells;
  double *sums = calloc((size_t)count, sizeof(double)), sum = 0;
  for (int c = 0; c < count; ++c) {
    if (owner[c] == rank) {
      qsort(cells[c].particles, (size_t)cells[c].count, sizeof(struct particle), compare);
      for (int i = 0; i < cells[c].count; ++i) {
        const struct particle *const p = &cells[c].particles[i];
        sums[c] += p->x + 3 * p->y + 100 * p->vx + 300 * p->vy;
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_DOUBLE, MPI_SUM, world);
  for (int c = 0; c < count; ++c) {
    sum += sums[c];
  }
  free(sums);
  return sum;
}

static double cpu_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void read_options(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *const name = argv[i], *const value = argv[i + 1];
    if (strcmp(name, "--cells") == 0)
      want.cells = atoi(value);
    else if (strcmp(name, "--particles") == 0)
      want.particles = atol(value);
    else if (strcmp(name, "--steps") == 0)
      want.steps = atoi(value);
    else if (strcmp(name, "--shift") == 0)
      want.shift = atoi(value);
    else if (strcmp(name, "--node") == 0)
      want.ranks_alike = atoi(value);
    else if (strcmp(name, "--noise") == 0)
      want.noise = atof(value);
    else if (strcmp(name, "--drift") == 0)
      want.drift = atof(value);
    else if (strcmp(name, "--heat") == 0)
      want.heat = atof(value);
    else if (strcmp(name, "--unit") == 0)
      want.unit = atof(value);
    else if (strcmp(name, "--load") == 0)
      want.load = value;
    else if (strcmp(name, "--record") == 0)
      want.record = value;
    else if (strcmp(name, "--log") == 0)
      want.log = value;
  }
}

int main(int argc, char **argv) {
  struct nestbind_mpi_balance_options options = {0};
  struct nestbind_mpi_balancer *balancer;
  unsigned long state;
  long moved_in_all = 0;
  double *mass, began;
  FILE *record = NULL, *log;
  int provided, count;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  read_options(argc, argv);
  count = want.cells * want.cells;
  state = (unsigned long)rank + 99;
  cells = calloc((size_t)count, sizeof(*cells));
  owner = calloc((size_t)count, sizeof(*owner));
  mass = calloc((size_t)count, sizeof(*mass));
  for (int c = 0; c < count; ++c) {
    owner[c] = (int)((long)c * ranks / count);
  }
  record = want.record == NULL || ranks > 1 ? NULL : fopen(want.record, "wb");
  log = rank != 0 || want.log == NULL ? NULL : fopen(want.log, "w");
  begin();
  options.node = want.ranks_alike > 0 ? 1 + rank / want.ranks_alike : 0;
  options.threads = strcmp(want.load, "region") == 0 ? 0 : omp_get_max_threads();
  balancer = nestbind_mpi_balancer(world, &options);
  began = MPI_Wtime();
  for (int step = 0; step < want.steps; ++step) {
    const struct nestbind_balance_move *moves;
    struct nestbind_across_report report;
    double work[2] = {0, 0}, most;
    int n;
    masses(mass);
    for (int c = 0; c < count; ++c) {
      if (owner[c] == rank) {
        const double before = cpu_time();
        const double bytes = (double)cells[c].count * sizeof(struct particle);
        push(&cells[c], c, step, mass, record);
        if (strcmp(want.load, "region") == 0) {
          nestbind_mpi_load_of_region(balancer, c, bytes);
        } else if (strcmp(want.load, "cpu") == 0) {
          nestbind_mpi_load(balancer, c, cpu_time() - before, bytes);
        } else {
          const double noise = 1 + want.noise * (2 * fraction(&state) - 1);
          nestbind_mpi_load(balancer, c, noise * want.unit * (double)cells[c].work, bytes);
        }
        work[0] += (double)cells[c].work;
      }
    }
    migrate();
    n = nestbind_mpi_balance(balancer, want.steps - step - 1, &moves);
    nestbind_mpi_balance_report(balancer, &report);
    move(moves, n > 0 ? n : 0, report.moves > 0);
    moved_in_all += (long)report.moves;
    if (want.log != NULL) {
      MPI_Reduce(&work[0], &most, 1, MPI_DOUBLE, MPI_MAX, 0, world);
      MPI_Reduce(&work[0], &work[1], 1, MPI_DOUBLE, MPI_SUM, 0, world);
    }
    if (log != NULL) {
      fprintf(log, "%d,%.4f,%.0f,%.0f,%.6f\n", step, most / (work[1] / ranks), report.moves,
              report.bytes, report.seconds);
    }
  }
  {
    const double sum = checksum(), seconds = MPI_Wtime() - began;
    if (rank == 0) {
      printf("checksum %.17g\nmoved %ld\nseconds %.3f\n", sum, moved_in_all, seconds);
    }
  }
  if (record != NULL) {
    fclose(record);
  }
  if (log != NULL) {
    fclose(log);
  }
  nestbind_mpi_balancer_free(balancer);
  MPI_Comm_free(&world);
  MPI_Finalize();
  return 0;
}
