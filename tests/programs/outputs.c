/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs WHAT [MACHINE]: the program restarts itself in a new folder, and then changes files or
 * its folder. The library must still use the files and the folder from before the change.
 *   folder      a report and a trace with relative names; the program changes its folder
 *   replaced    a report's file that is replaced by a link and by another file
 *   closed      standard error is closed, and a file gets its file descriptor
 *   machine     a machine file with a relative name; the program changes its folder
 *   stdout      a report to the standard output, which is a file */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#include "show.h"

static void expect(int is_right, const char *what) {
  if (!is_right) say("wrong: %s", what);
}

static void fork_team(int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    if (omp_get_thread_num() > inner) abort();
  }
}

static long size_of(const char *name) {
  struct stat file;
  return lstat(name, &file) == 0 ? (long)file.st_size : -1;
}

static void make(const char *name, const char *text) {
  int file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) abort();
  close(file);
}

static void go_elsewhere(void) {
  fork_team(2, 1);
  long report = size_of("report");
  long trace = size_of("trace");
  expect(report > 0, "there is no report");
  expect(trace > 0, "there is no trace");
  if (mkdir("elsewhere", 0700) != 0 || chdir("elsewhere") != 0) abort();
  fork_team(1, 2);
  expect(size_of("report") < 0, "a report elsewhere");
  expect(size_of("trace") < 0, "a trace elsewhere");
  expect(size_of("../report") > report, "nothing more is reported");
  expect(size_of("../trace") > trace, "nothing more is traced");
}

static void replace(void) {
  make("report", "of an earlier process\n");
  fork_team(2, 1);
  long report = size_of("report");
  make("victim", "victim");
  if (rename("report", "moved") != 0 || symlink("victim", "report") != 0) abort();
  fork_team(1, 2);
  expect(size_of("victim") == 6, "something is written through a link");
  if (unlink("report") != 0 || rename("victim", "report") != 0) abort();
  fork_team(1, 3);
  expect(size_of("report") == 6, "something is written to another file");
  if (rename("moved", "report") != 0) abort();
  fork_team(1, 4);
  expect(size_of("report") > report, "nothing more is reported");
}

static void close_error_output(void) {
  int file = open("file", O_RDWR | O_CREAT | O_EXCL, 0600);
  expect(file == 2, "the file has another number");
  fork_team(4, 1);
  if (omp_set_nesting_info != NULL) omp_set_nesting_info("nonsense");
  expect(size_of("file") == 0, "something is written to the program's file");
  close(file);
}

static void plan_elsewhere(void) {
  if (mkdir("elsewhere", 0700) != 0 || chdir("elsewhere") != 0) abort();
  fork_team(2, 1);
  expect(size_of("../report") > 0, "the machine is not found");
  if (chdir("..") != 0) abort();
}

enum { kKept = 9 };

static void report_to_output(void) {
  char text[8192] = "";
  dprintf(1, "before\n");
  fork_team(2, 1);
  dprintf(1, "after\n");
  int file = open("output", O_RDONLY);
  if (file < 0 || read(file, text, sizeof text - 1) < 0) abort();
  close(file);
  expect(strncmp(text, "before\n{\"spec\"", 15) == 0, "the earlier contents are overwritten");
  expect(strstr(text, "]}\nafter\n") != NULL, "the report is overwritten");
  dup2(kKept, 1);
}

static int take_away(const char *path, const struct stat *file, int kind, struct FTW *where) {
  (void)file, (void)kind, (void)where;
  return remove(path);
}

static void output_to_file(void) {
  int file = open("output", O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0 || dup2(1, kKept) != kKept || dup2(file, 1) != 1) abort();
  close(file);
  setenv("NESTBIND_REPORT", "json:/dev/stdout", 1);
}

static void start_anew(char **arguments, const char *what) {
  static char folder[] = "outputs-XXXXXX";
  char where[4096];
  if (mkdtemp(folder) == NULL || chdir(folder) != 0 || getcwd(where, sizeof where) == NULL) abort();
  setenv("OUTPUTS_FOLDER", where, 1);
  if (strcmp(what, "closed") == 0) {
    setenv("NESTBIND_REPORT", "json", 1);
    close(2);
  } else if (strcmp(what, "stdout") == 0) {
    output_to_file();
  } else if (strcmp(what, "machine") == 0) {
    if (symlink(arguments[2], "machine.xml") != 0) abort();
    setenv("NESTBIND_MACHINE", "machine.xml", 1);
    setenv("NESTBIND_REPORT", "json:report", 1);
  } else {
    setenv("NESTBIND_REPORT", "json:report", 1);
    setenv("NESTBIND_TRACE", "trace", 1);
  }
  execv("/proc/self/exe", arguments);
  abort();
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  const char *folder = getenv("OUTPUTS_FOLDER");
  if (folder == NULL) start_anew(argv, argv[1]);
  if (strcmp(argv[1], "folder") == 0) go_elsewhere();
  if (strcmp(argv[1], "replaced") == 0) replace();
  if (strcmp(argv[1], "closed") == 0) close_error_output();
  if (strcmp(argv[1], "machine") == 0) plan_elsewhere();
  if (strcmp(argv[1], "stdout") == 0) report_to_output();
  if (nftw(folder, take_away, 8, FTW_DEPTH | FTW_PHYS) != 0) abort();
  say("%s done", argv[1]);
  return 0;
}
