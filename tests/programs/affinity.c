/* SPDX-License-Identifier: BSD-3-Clause */
/* affinity WHAT...: OpenMP's own affinity interface for C and Fortran, in a team of two.
 *
 *   format      prints rows of omp_capture_affinity. The format is the default, a long name, or a
 *               format that the program has set. Fortran also prints a row.
 *   forms       prints "forms good" if texts with field widths or in short buffers are right
 *   display     rows that omp_display_affinity prints, from C and from Fortran
 *   places      rows "place" and "partition", with numbers of places instead of processors. A "?"
 *               shows that the thread has no place
 *   partition   prints "partition good" if the partition has both places outside of regions.
 *   lines=TxS   rows that OMP_DISPLAY_AFFINITY prints. The program forks T teams of two. If S is
 *               not 0, each member forks an inner team of S threads.
 *
 * The program sends the runtime's standard error output to the standard output.
 */
#define _GNU_SOURCE
#include "checks.h"
#include "show.h"

/* gfortran passes the length of each text as an additional argument. */
size_t omp_capture_affinity_(char *buffer, const char *format, size_t size, size_t length);
void omp_display_affinity_(const char *format, size_t length);
int omp_get_place_num_(void);
int omp_get_partition_num_places_(void);
void omp_get_partition_place_nums_(int *places);

enum { kText = 1024, kPlaces = 64 };

static void capture_from_fortran(char text[kText], const char *format) {
  const size_t length = omp_capture_affinity_(text, format, kText - 1, strlen(format));
  for (size_t i = length; i < kText - 1; ++i) {
    if (text[i] != ' ') say("Fortran's text is not filled with blanks");
  }
  text[length] = '\0';
}

static void tell_formats(void) {
  char text[kText];
#pragma omp parallel num_threads(2) private(text)
  {
    omp_capture_affinity(text, sizeof text, "@ given %n %N %i %A");
    say("%s", text);
    omp_capture_affinity(text, sizeof text, "@ long %n %N %i %{thread_affinity}");
    say("%s", text);
    capture_from_fortran(text, "@ fortran %n %N %i %A");
    say("%s", text);
#pragma omp single
    omp_set_affinity_format("@ set %n %N %i %A");
    omp_capture_affinity(text, sizeof text, NULL);
    say("%s", text);
    capture_from_fortran(text, "");
    say("%s", text);
  }
}

static bool is_captured(const char *format, const char *wanted) {
  char text[kText];
  char small[4];
  const size_t length = omp_capture_affinity(text, sizeof text, format);
  const size_t again = omp_capture_affinity(small, sizeof small, format);
  const bool good = strcmp(text, wanted) == 0 && length == strlen(wanted) && again == length &&
                    strncmp(small, wanted, 3) == 0 && small[length < 3 ? length : 3] == '\0';
  if (!good) say("%s is %s, not %s", format, text, wanted);
  return good;
}

/* The calling thread must be bound to one processor. */
static bool is_formed(void) {
  char cpu[kText];
  char wanted[4 * kText];
  show_cpus(cpu, sizeof cpu);
  snprintf(wanted, sizeof wanted, "<%-9s|%9s|%%A %s%%>", cpu, cpu, cpu);
  bool good = is_captured("<%9A|%.9A|%%A %A%%>", wanted);
  snprintf(wanted, sizeof wanted, "%d:%4d:%s:", omp_get_thread_num(), omp_get_num_threads(), cpu);
  good = is_captured("%n:%.4N:%A:", wanted) && good;
  return is_captured("none", "none") && good;
}

static bool are_forms_good(void) {
  int good = 0;
#pragma omp parallel num_threads(2) reduction(+ : good)
  good = is_formed();
  return good == 2;
}

static void display(void) {
  static const char kFortran[] = "@ fortran %n %N %i %A";
#pragma omp parallel num_threads(2)
  {
    omp_display_affinity("@ given %n %N %i %A");
    omp_display_affinity_(kFortran, sizeof kFortran - 1);
#pragma omp single
    omp_set_affinity_format("@ set %n %N %i %A");
    omp_display_affinity(NULL);
  }
}

static void tell_place(const char *label, int place) {
  char text[kText] = "?";
  if (place >= 0) snprintf(text, sizeof text, "%d", place);
  say("@ %s %d %d %ld %s", label, omp_get_thread_num(), omp_get_num_threads(),
      (long)syscall(SYS_gettid), text);
}

static void tell_places(void) {
#pragma omp parallel num_threads(2)
  {
    int places[kPlaces] = {-1};
    int again[kPlaces] = {-1};
    const int count = omp_get_partition_num_places();
    omp_get_partition_place_nums(places);
    omp_get_partition_place_nums_(again);
    tell_place("place", omp_get_place_num());
    tell_place("place", omp_get_place_num_());
    if (count > 1 || count != omp_get_partition_num_places_()) say("%d places", count);
    tell_place("partition", count > 0 ? places[0] : -1);
    tell_place("partition", count > 0 ? again[0] : -1);
  }
}

/* Forks a region first, because LLVM's runtime returns wrong numbers before the first region. */
static bool is_partition_whole(void) {
  int places[kPlaces] = {0};
#pragma omp parallel num_threads(2)
  omp_get_thread_num();
  if (omp_get_partition_num_places() != omp_get_num_places()) return false;
  omp_get_partition_place_nums(places);
  return places[0] == 0 && places[1] == 1;
}

static void fork_teams(int times, int inner) {
  for (int i = 0; i < times; ++i) {
#pragma omp parallel num_threads(2)
    if (inner > 0) {
#pragma omp parallel num_threads(inner)
      omp_get_thread_num();
    }
  }
}

static int run(const char *what) {
  static const struct check kChecks[] = {
      {"forms", are_forms_good}, {"partition", is_partition_whole}, {NULL, NULL}};
  int times = 0;
  int inner = 0;
  if (strcmp(what, "format") == 0) {
    tell_formats();
  } else if (strcmp(what, "display") == 0) {
    display();
  } else if (strcmp(what, "places") == 0) {
    tell_places();
  } else if (sscanf(what, "lines=%dx%d", &times, &inner) == 2) {
    fork_teams(times, inner);
  } else {
    char *words[] = {NULL, (char *)what};
    return run_checks(kChecks, 2, words);
  }
  return 0;
}

int main(int argc, char **argv) {
  int status = dup2(1, 2) < 0;
  for (int i = 1; status == 0 && i < argc; ++i) status = run(argv[i]);
  fflush(stdout);
  return status;
}
