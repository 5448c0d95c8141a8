/* SPDX-License-Identifier: BSD-3-Clause */
#include "traffic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"

struct Traffic {
  uint64_t loads;
  uint64_t stores;
  uint64_t load_bytes;
  uint64_t store_bytes;
};

/* Only the processor's own thread writes its row. `traffic[kind][shape.nodes]` counts the accesses
 * to addresses that are on no node. */
struct Row {
  struct Traffic traffic[kKinds][kMaxNodes + 1];
  uint64_t transfers[kKinds][kMaxLineNodes];
} __attribute__((aligned(64)));

static struct Row rows[kMaxProcessors];
static struct Row rows_at_start[kMaxProcessors];
static struct Options shape;
static FILE *output;
static FILE *line_output;

void traffic_count(unsigned processor, enum Kind kind, uint64_t physical, uint64_t bytes,
                   bool is_store) {
  struct Row *row = &rows[processor];
  const uint64_t block = physical / shape.node_bytes;
  const uint64_t node = block < shape.nodes ? block : shape.nodes;
  struct Traffic *traffic = &row->traffic[kind][node];
  if (is_store) {
    traffic->stores++;
    traffic->store_bytes += bytes;
  } else {
    traffic->loads++;
    traffic->load_bytes += bytes;
  }
  if (!line_output || node == shape.nodes) {
    return;
  }
  const unsigned home = (unsigned)(processor / shape.processors_a_node);
  const int from = lines_access(physical, home, is_store);
  if (from != kNoTransfer) {
    row->transfers[kind][from]++;
  }
}

/* The counters are never reset, because other processors perhaps count at the same time. */
void traffic_begin(void) {
  memcpy(rows_at_start, rows, sizeof rows);
  if (line_output) {
    lines_clear();
  }
}

static struct Traffic traffic_since_start(unsigned processor, int kind, uint64_t node) {
  const struct Traffic *now = &rows[processor].traffic[kind][node];
  const struct Traffic *before = &rows_at_start[processor].traffic[kind][node];
  return (struct Traffic){.loads = now->loads - before->loads,
                          .stores = now->stores - before->stores,
                          .load_bytes = now->load_bytes - before->load_bytes,
                          .store_bytes = now->store_bytes - before->store_bytes};
}

/* Writes a row for each node, so that a reader of the file sees the number of nodes. */
static void write_processor(unsigned label, unsigned section, unsigned processor, int kind) {
  for (uint64_t node = 0; node <= shape.nodes; node++) {
    const struct Traffic traffic = traffic_since_start(processor, kind, node);
    const bool elsewhere = node == shape.nodes;
    if (elsewhere && traffic.loads + traffic.stores == 0) {
      continue;
    }
    fprintf(output, "%u,%u,%s,%u,%" PRIu64 ",%" PRId64, label, section,
            kind == kArray ? "array" : "rest", processor, processor / shape.processors_a_node,
            elsewhere ? -1 : (int64_t)node);
    fprintf(output, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", traffic.loads,
            traffic.stores, traffic.load_bytes, traffic.store_bytes);
  }
}

static void write_accesses(unsigned label, unsigned section) {
  for (unsigned processor = 0; processor < kMaxProcessors; processor++) {
    for (int kind = 0; kind < kKinds; kind++) {
      uint64_t accesses = 0;
      for (uint64_t node = 0; node <= shape.nodes; node++) {
        const struct Traffic traffic = traffic_since_start(processor, kind, node);
        accesses += traffic.loads + traffic.stores;
      }
      if (accesses) {
        write_processor(label, section, processor, kind);
      }
    }
  }
  fflush(output);
}

static uint64_t transfers_since_start(int kind, uint64_t from, uint64_t to) {
  uint64_t sum = 0;
  for (uint64_t index = 0; index < shape.processors_a_node; index++) {
    const uint64_t processor = to * shape.processors_a_node + index;
    if (processor >= kMaxProcessors) {
      break;
    }
    sum += rows[processor].transfers[kind][from] - rows_at_start[processor].transfers[kind][from];
  }
  return sum;
}

static void write_transfers(unsigned label, unsigned section) {
  for (int kind = 0; kind < kKinds; kind++) {
    for (uint64_t from = 0; from < shape.nodes; from++) {
      for (uint64_t to = 0; to < shape.nodes; to++) {
        if (from != to) {
          fprintf(line_output, "%u,%u,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", label, section,
                  kind == kArray ? "array" : "rest", from, to,
                  transfers_since_start(kind, from, to));
        }
      }
    }
  }
  fflush(line_output);
}

void traffic_write(unsigned label, unsigned section) {
  write_accesses(label, section);
  if (line_output) {
    write_transfers(label, section);
  }
}

static FILE *open_csv(const char *name, const char *header) {
  FILE *file = fopen(name, "w");
  if (file) {
    fprintf(file, "%s\n", header);
  } else {
    perror(name);
  }
  return file;
}

bool traffic_open(const struct Options *options) {
  shape = *options;
  output = open_csv(shape.csv,
                    "label,section,kind,processor,home,node,loads,stores,load_bytes,store_bytes");
  if (!output || !shape.lines) {
    return output;
  }
  if (shape.nodes > kMaxLineNodes || !lines_open(shape.nodes * shape.node_bytes)) {
    fprintf(stderr, "access counter: too many nodes or bytes to count cache lines\n");
    return false;
  }
  line_output = open_csv(shape.lines, "label,section,kind,from,to,transfers");
  return line_output;
}

void traffic_close(void) {
  fclose(output);
  if (line_output) {
    fclose(line_output);
  }
}
