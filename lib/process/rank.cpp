// SPDX-License-Identifier: BSD-3-Clause
#include "process/rank.hpp"

#include "options/settings.hpp"

namespace nestbind::process {

const char* told_rank() {
  const char* const variables[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                   "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
  for (const char* variable : variables) {
    if (const char* value = options::variable(variable)) {
      return value;
    }
  }
  return nullptr;
}

const char* rank() {
  const char* told = told_rank();
  return told == nullptr ? "0" : told;
}

}  // namespace nestbind::process
