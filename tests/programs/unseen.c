/* SPDX-License-Identifier: BSD-3-Clause */
/* unseen EXIT: that a process is started for the program's sake is not to be noticed by it: no
 * SIGCHLD, nothing for wait() at any time, no descriptor, no time of children, no other signal
 * mask. Tells only what is wrong, and ends with EXIT. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "show.h"

static volatile sig_atomic_t signals;
static int done;

static void count(int signal) {
  (void)signal;
  ++signals;
}

static void *wait_for_any(void *unused) {
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
    int status;
    pid_t child = wait(&status);
    if (child != -1 || errno != ECHILD) say("wait tells of a child");
    child = waitpid(0, &status, WNOHANG | WUNTRACED);
    if (child != -1 || errno != ECHILD) say("waitpid tells of a child");
  }
  return unused;
}

static int open_files(void) {
  DIR *folder = opendir("/proc/self/fd");
  int files = 0;
  while (folder != NULL && readdir(folder) != NULL) ++files;
  if (folder != NULL) closedir(folder);
  return files;
}

static long faults_of_children(void) {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_minflt;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = count;
  sigaction(SIGCHLD, &action, NULL);
  pthread_t waiting;
  pthread_create(&waiting, NULL, wait_for_any, NULL);
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  int files = open_files();
  long faults = faults_of_children();
#pragma omp parallel num_threads(2)
  show("-");
  if (open_files() != files) say("files are open");
  if (faults_of_children() > faults + 100) say("children have taken time");
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  if (memcmp(&before, &after, 8) != 0) say("the signal mask has changed");
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  pthread_join(waiting, NULL);
  if (waitpid(-1, NULL, WNOHANG | __WALL) != -1 || errno != ECHILD) say("a child is left");
  if (signals != 0) say("%d signals", (int)signals);
  return atoi(argv[1]);
}
