// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/team.hpp"

#include <map>
#include <utility>

namespace nestbind::mapping {

Team team_of(const Problem& problem, const Placement& placement, int thread) {
  const std::vector<Thread>& all = problem.threads.all;
  const Thread& master = all[thread];
  Team team;
  team.size = static_cast<int>(master.members.size());
  std::vector<int> member_of(master.end - master.begin);
  for (int i = 0; i < team.size; ++i) {
    const Thread& member = all[master.members[i]];
    team.shapes.push_back(member.shape);
    team.slots.push_back(placement.slot_of_seat(thread, i));
    for (int number = member.begin; number < member.end; ++number) {
      member_of[number - master.begin] = i;
    }
  }
  team.pull.assign(team.size, std::vector<double>(team.size, 0));
  std::map<std::pair<int, int>, double> sums;
  for (int number = master.begin; number < master.end; ++number) {
    const int member = member_of[number - master.begin];
    for (const auto& [partner, weight] : problem.partners[number]) {
      const bool is_inside = partner >= master.begin && partner < master.end;
      if (!is_inside) {
        for (int seat = 0; seat < team.size; ++seat) {
          team.pull[member][seat] +=
              weight * problem.distances(team.slots[seat], placement.slot(partner));
        }
      } else if (const int other = member_of[partner - master.begin]; member < other) {
        sums[{member, other}] += weight;
      }
    }
  }
  for (const auto& [members, weight] : sums) {
    team.pairs.push_back({members.first, members.second, weight});
  }
  return team;
}

}  // namespace nestbind::mapping
