// SPDX-License-Identifier: BSD-3-Clause
#include "plan/strategies.hpp"

#include <array>

namespace nestbind::plan {

namespace {

// By spec::Strategy.
constexpr std::array<Strategy, spec::kStrategies> kStrategies = {{
    {&Rule::scatter_need, scatter, scatter_others},
    {&Rule::need, compact, compact_others},
    {&Rule::scatter_need, scatter, nullptr},
    {&Rule::need, compact, nullptr},
}};

}  // namespace

const Strategy& meaning_of(spec::Strategy strategy) {
  return kStrategies[static_cast<int>(strategy)];
}

}  // namespace nestbind::plan
