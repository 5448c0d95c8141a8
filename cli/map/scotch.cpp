// SPDX-License-Identifier: BSD-3-Clause
#include "cli/map/scotch.hpp"

#include "cli/helper_program.hpp"
#include "mapping/scotch/border.hpp"

namespace nestbind::cli::map {

std::string find_scotch(const std::string& library) {
  return find_helper(library, mapping::scotch::kScotchFile);
}

std::optional<std::vector<int>> ask_scotch(const std::string& program,
                                           const mapping::Target& target) {
  const std::size_t members = target.leaf.size();
  return ask_helper(program, mapping::print_target(target), members, static_cast<int>(members));
}

}  // namespace nestbind::cli::map
