/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const char *option, const char *name) {
  const size_t length = strlen(name);
  return strncmp(option, name, length) == 0 && option[length] == '=' ? option + length + 1 : NULL;
}

static bool read_number(uint64_t *number, const char *text) {
  char *end = NULL;
  *number = strtoull(text, &end, 10);
  return *end == '\0' && *number > 0;
}

static bool read_option(struct Options *options, const char *option) {
  struct {
    const char *name;
    const char **text;
    uint64_t *number;
  } const known[] = {{"csv", &options->csv, NULL},
                     {"lines", &options->lines, NULL},
                     {"nodes", NULL, &options->nodes},
                     {"node-bytes", NULL, &options->node_bytes},
                     {"processors-a-node", NULL, &options->processors_a_node}};
  for (size_t index = 0; index < sizeof known / sizeof known[0]; index++) {
    const char *value = value_of(option, known[index].name);
    if (!value) {
      continue;
    }
    if (known[index].text) {
      *known[index].text = value;
      return true;
    }
    return known[index].number && read_number(known[index].number, value);
  }
  return false;
}

bool read_options(struct Options *options, int argc, char **argv) {
  for (int index = 0; index < argc; index++) {
    if (!read_option(options, argv[index])) {
      fprintf(stderr, "access counter: cannot use the option '%s'\n", argv[index]);
      return false;
    }
  }
  const bool whole =
      options->csv && options->nodes && options->node_bytes && options->processors_a_node;
  if (!whole || options->nodes > kMaxNodes) {
    fprintf(stderr,
            "access counter: needs csv, nodes (at most %d), node-bytes, processors-a-node\n",
            kMaxNodes);
    return false;
  }
  return true;
}
