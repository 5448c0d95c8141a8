// SPDX-License-Identifier: BSD-3-Clause
#include "fair.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace bench {

Times times_of(const nestbind::network::Network& network, const std::vector<Sent>& messages) {
  std::vector<std::vector<int>> users(static_cast<std::size_t>(network.links()));
  std::vector<std::vector<int>> routes;
  std::vector<double> bytes;
  for (const Sent& sent : messages) {
    std::vector<int> route;
    network.for_each_link(sent.from, sent.to, [&](int link) { route.push_back(link); });
    if (route.empty()) {
      continue;
    }
    for (const int link : route) {
      users[link].push_back(static_cast<int>(routes.size()));
    }
    routes.push_back(std::move(route));
    bytes.push_back(sent.bytes);
  }
  std::vector<double> rest(users.size(), 1);
  std::vector<int> live(users.size());
  std::priority_queue<std::pair<double, int>> next;  // the negative share of a link
  for (std::size_t link = 0; link < users.size(); ++link) {
    live[link] = static_cast<int>(users[link].size());
    if (live[link] > 0) {
      next.push({-rest[link] / live[link], static_cast<int>(link)});
    }
  }
  std::vector<double> share(routes.size(), 0);
  while (!next.empty()) {
    const auto [negative, link] = next.top();
    next.pop();
    if (live[link] == 0 || -negative != rest[link] / live[link]) {
      continue;  // the share has changed since
    }
    for (const int message : users[link]) {
      if (share[message] > 0) {
        continue;
      }
      share[message] = -negative;
      for (const int other : routes[message]) {
        rest[other] = std::max(rest[other] + negative, 0.0);
        if (--live[other] > 0 && other != link) {
          next.push({-rest[other] / live[other], other});
        }
      }
    }
  }
  Times times;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const double time = bytes[i] / share[i];
    times.mean += time / static_cast<double>(routes.size());
    times.slowest = std::max(times.slowest, time);
  }
  return times;
}

}  // namespace bench
