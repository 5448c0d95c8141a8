// SPDX-License-Identifier: BSD-3-Clause
#include <metis.h>

#include "balance/partition/request.hpp"

namespace nestbind::balance::partition {

std::optional<std::vector<int>> by_metis(const Request& request) {
  if (auto plain = divide_plainly(request)) {
    return plain;
  }
  Rows<idx_t> rows(request);
  std::vector<idx_t> load(request.load.begin(), request.load.end());
  std::vector<idx_t> part(load.size(), 0);
  auto objects = static_cast<idx_t>(load.size());
  idx_t constraints = 1;
  idx_t parts = request.parts;
  idx_t cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  const bool is_divided =
      METIS_PartGraphKway(&objects, &constraints, rows.begin.data(), rows.neighbour.data(),
                          load.data(), nullptr, rows.weight.data(), &parts, nullptr, nullptr,
                          options, &cut, part.data()) == METIS_OK;
  return is_divided ? std::optional(std::vector<int>(part.begin(), part.end())) : std::nullopt;
}

}  // namespace nestbind::balance::partition
