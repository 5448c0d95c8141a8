// SPDX-License-Identifier: BSD-3-Clause
#include "metis.hpp"

#include <metis.h>

namespace nestbind::simulation {

std::optional<std::vector<int>> divide_by_metis(const mapping::ObjectGraph& objects) {
  if (auto plain = divide_plainly(objects)) {
    return plain;
  }
  mapping::Rows<idx_t> rows(objects.edges, objects.load.size());
  std::vector<idx_t> load(objects.load.begin(), objects.load.end());
  std::vector<idx_t> part(load.size(), 0);
  auto count = static_cast<idx_t>(load.size());
  idx_t constraints = 1;
  idx_t parts = objects.parts;
  idx_t cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  const bool is_divided =
      METIS_PartGraphKway(&count, &constraints, rows.begin.data(), rows.neighbour.data(),
                          load.data(), nullptr, rows.weight.data(), &parts, nullptr, nullptr,
                          options, &cut, part.data()) == METIS_OK;
  return is_divided ? std::optional(std::vector<int>(part.begin(), part.end())) : std::nullopt;
}

}  // namespace nestbind::simulation
