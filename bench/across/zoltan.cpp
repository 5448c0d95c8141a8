// SPDX-License-Identifier: BSD-3-Clause
#include "zoltan.hpp"

#include <mpi.h>
#include <zoltan.h>

#include <cstddef>
#include <string>
#include <utility>

namespace {

struct Ring {
  const std::vector<double>* load;
  const std::vector<int>* place;
  int width;
};

const Ring& ring_of(void* data) { return *static_cast<const Ring*>(data); }

int count_of(void* data, int* error) {
  *error = ZOLTAN_OK;
  return static_cast<int>(ring_of(data).load->size());
}

void objects(void* data, int, int, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR, int, float* weights,
             int* error) {
  const Ring& ring = ring_of(data);
  for (std::size_t i = 0; i < ring.load->size(); ++i) {
    ids[i] = static_cast<ZOLTAN_ID_TYPE>(i);
    weights[i] = static_cast<float>((*ring.load)[i]);
  }
  *error = ZOLTAN_OK;
}

void parts(void* data, int, int, int count, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR, int* part,
           int* error) {
  for (int i = 0; i < count; ++i) {
    part[i] = (*ring_of(data).place)[ids[i]];
  }
  *error = ZOLTAN_OK;
}

void edge_counts(void* data, int, int, int count, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR, int* edges,
                 int* error) {
  for (int i = 0; i < count; ++i) {
    edges[i] = 2 * ring_of(data).width;
  }
  *error = ZOLTAN_OK;
}

void edges(void* data, int, int, int count, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR, int*,
           ZOLTAN_ID_PTR other, int* process, int, float*, int* error) {
  const auto all = static_cast<ZOLTAN_ID_TYPE>(ring_of(data).load->size());
  for (int i = 0; i < count; ++i) {
    for (ZOLTAN_ID_TYPE k = 1; k <= static_cast<ZOLTAN_ID_TYPE>(ring_of(data).width); ++k) {
      *other++ = (ids[i] + k) % all;
      *other++ = (ids[i] + all - k) % all;
      *process++ = 0;
      *process++ = 0;
    }
  }
  *error = ZOLTAN_OK;
}

}  // namespace

bool repartition_by_zoltan(const std::vector<double>& load, int ring, int nodes,
                           std::vector<int>& place) {
  int is_ready = 0;
  MPI_Initialized(&is_ready);
  if (is_ready == 0) {
    float version = 0;
    MPI_Init(nullptr, nullptr);
    Zoltan_Initialize(0, nullptr, &version);
  }
  Ring data{&load, &place, ring};
  Zoltan_Struct* zoltan = Zoltan_Create(MPI_COMM_SELF);
  // The balance is within 2 %. Moving an object costs as much as a message that leaves its node.
  const std::string parts_wanted = std::to_string(nodes);
  for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{
           {"DEBUG_LEVEL", "0"},
           {"LB_METHOD", "GRAPH"},
           {"GRAPH_PACKAGE", "PHG"},
           {"LB_APPROACH", "REPARTITION"},
           {"PHG_REPART_MULTIPLIER", "1"},
           {"IMBALANCE_TOL", "1.02"},
           {"OBJ_WEIGHT_DIM", "1"},
           {"RETURN_LISTS", "PARTS"},
           {"NUM_GLOBAL_PARTS", parts_wanted.c_str()}}) {
    Zoltan_Set_Param(zoltan, name, value);
  }
  Zoltan_Set_Num_Obj_Fn(zoltan, count_of, &data);
  Zoltan_Set_Obj_List_Fn(zoltan, objects, &data);
  Zoltan_Set_Part_Multi_Fn(zoltan, parts, &data);
  Zoltan_Set_Num_Edges_Multi_Fn(zoltan, edge_counts, &data);
  Zoltan_Set_Edge_List_Multi_Fn(zoltan, edges, &data);
  int has_changed = 0;
  int id_size = 0;
  int local_size = 0;
  int imported = 0;
  int exported = 0;
  ZOLTAN_ID_PTR in = nullptr;
  ZOLTAN_ID_PTR in_local = nullptr;
  ZOLTAN_ID_PTR out = nullptr;
  ZOLTAN_ID_PTR out_local = nullptr;
  int* in_process = nullptr;
  int* in_part = nullptr;
  int* out_process = nullptr;
  int* out_part = nullptr;
  const int result = Zoltan_LB_Partition(zoltan, &has_changed, &id_size, &local_size, &imported,
                                         &in, &in_local, &in_process, &in_part, &exported, &out,
                                         &out_local, &out_process, &out_part);
  std::vector<int> after(place);
  for (int i = 0; i < exported; ++i) {
    after[out[i]] = out_part[i];
  }
  place = after;
  Zoltan_LB_Free_Part(&in, &in_local, &in_process, &in_part);
  Zoltan_LB_Free_Part(&out, &out_local, &out_process, &out_part);
  Zoltan_Destroy(&zoltan);
  return result == ZOLTAN_OK || result == ZOLTAN_WARN;
}
