// SPDX-License-Identifier: BSD-3-Clause
#include "balance/partition/request.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

namespace nestbind::balance::partition {

namespace {

constexpr double kMostWeight = 1e8;  // of a sum

// 0 where all are 0.
double factor_for(double sum) { return sum > 0 ? kMostWeight / sum : 0; }

int whole(double number, double factor) {
  return std::max(1, static_cast<int>(std::lround(number * factor)));
}

bool holds(const Request& request) {
  const auto count = static_cast<int>(request.load.size());
  return request.parts > 0 &&
         std::ranges::all_of(request.load, [](int load) { return load > 0; }) &&
         std::ranges::all_of(request.edges, [&](const Edge& edge) {
           return edge.a >= 0 && edge.a < edge.b && edge.b < count && edge.weight > 0;
         });
}

}  // namespace

Request request_of(const Objects& objects, int parts) {
  Request request;
  request.parts = parts;
  double loads = 0;
  for (int i = 0; i < objects.count; ++i) {
    loads += objects.load[i];
  }
  std::map<std::pair<int, int>, double> sums;
  double messages = 0;
  for (int i = 0; i < objects.count; ++i) {
    request.load.push_back(whole(objects.load[i], factor_for(loads)));
    const int end = objects.first == nullptr ? 0 : objects.first[i + 1];
    for (int edge = objects.first == nullptr ? 0 : objects.first[i]; edge < end; ++edge) {
      const int other = objects.other[edge];
      const double sent = objects.messages == nullptr ? 1 : objects.messages[edge];
      if (other != i && sent > 0) {
        sums[{std::min(i, other), std::max(i, other)}] += sent;
        messages += sent;
      }
    }
  }
  for (const auto& [pair, sent] : sums) {
    request.edges.push_back({pair.first, pair.second, whole(sent, factor_for(messages))});
  }
  return request;
}

std::string print(const Request& request) {
  std::string text = std::to_string(request.parts) + " " + std::to_string(request.load.size()) +
                     " " + std::to_string(request.edges.size()) + "\n";
  for (const int load : request.load) {
    text += std::to_string(load) + "\n";
  }
  for (const auto& [a, b, weight] : request.edges) {
    text += std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(weight) + "\n";
  }
  return text;
}

std::optional<Request> parse(const std::string& text) {
  std::istringstream in(text);
  Request request;
  std::size_t objects = 0;
  std::size_t edges = 0;
  in >> request.parts >> objects >> edges;
  for (std::size_t i = 0; in && i < objects; ++i) {
    in >> request.load.emplace_back();
  }
  for (std::size_t i = 0; in && i < edges; ++i) {
    Edge& edge = request.edges.emplace_back();
    in >> edge.a >> edge.b >> edge.weight;
  }
  std::string rest;
  return in && !(in >> rest) && holds(request) ? std::optional(std::move(request)) : std::nullopt;
}

std::optional<std::vector<int>> divide_plainly(const Request& request) {
  const std::size_t objects = request.load.size();
  std::vector<int> parts(objects, 0);
  if (request.parts == 1) {
    return parts;
  }
  if (static_cast<std::size_t>(request.parts) < objects) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < objects; ++i) {
    parts[i] = static_cast<int>(i);
  }
  return parts;
}

}  // namespace nestbind::balance::partition
