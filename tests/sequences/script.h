/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a script: words, and blocks of words in braces. A script is a tree of operations. The
 * programs in this folder execute operations; `kind` and `word` say what an operation does. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostNumbers = 4, kMostBlocks = 16 };

/* An operation is a line: a letter, up to four numbers, and perhaps a text. A line that ends with
 * "{" is followed by blocks. "} {" begins the next block, and "}" ends the last one. */
struct operation {
  char kind;
  int id; /* the number of the line */
  int number[kMostNumbers];
  char text[160];
  int blocks;
  struct operation *block[kMostBlocks]; /* the first operation of each block, or null */
  struct operation *next;
  void *results;
};

static int g_lines;

static void bad_script(const char *line) {
  fprintf(stderr, "bad script, line %d: %s\n", g_lines, line);
  exit(2);
}

/* Reads lines up to the end of the block. `ending` becomes the line that ends the block. */
static struct operation *read_block(FILE *file, char *ending, int size) {
  struct operation *first = NULL;
  struct operation **link = &first;
  char line[512];
  *ending = '\0';
  while (fgets(line, sizeof line, file) != NULL) {
    ++g_lines;
    char *at = line + strspn(line, " ");
    at[strcspn(at, "\n")] = '\0';
    if (*at == '}') {
      snprintf(ending, size, "%s", at);
      return first;
    }
    if (*at == '\0') continue;
    struct operation *made = calloc(1, sizeof *made);
    made->kind = *at;
    made->id = g_lines;
    *link = made;
    link = &made->next;
    char *rest = at + 1;
    for (int i = 0; i < kMostNumbers; ++i) {
      char *end;
      const long value = strtol(rest, &end, 10);
      if (end == rest || (*end != ' ' && *end != '\0')) break;
      made->number[i] = (int)value;
      rest = end;
    }
    rest += strspn(rest, " ");
    char *brace = strchr(rest, '{');
    const int has_blocks = brace != NULL;
    if (has_blocks) *brace = '\0';
    snprintf(made->text, sizeof made->text, "%s", rest);
    while (has_blocks) {
      char end[16];
      if (made->blocks == kMostBlocks) bad_script(at);
      made->block[made->blocks++] = read_block(file, end, sizeof end);
      if (strchr(end, '{') == NULL) break;
    }
  }
  return first;
}

static struct operation *read_script(const char *name) {
  FILE *file = fopen(name, "r");
  if (file == NULL) {
    perror(name);
    exit(2);
  }
  char ending[16];
  struct operation *first = read_block(file, ending, sizeof ending);
  fclose(file);
  return first;
}

#endif
