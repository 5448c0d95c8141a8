// SPDX-License-Identifier: BSD-3-Clause
#include "process/rank.hpp"

#include "options/settings.hpp"
#include "ranks/launcher.hpp"

namespace nestbind::process {

const char* told_rank() { return ranks::rank_in(options::variable); }

}  // namespace nestbind::process
