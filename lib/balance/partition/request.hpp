// SPDX-License-Identifier: BSD-3-Clause
// What a partitioner is asked: objects and messages in whole numbers, as text and as arrays.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "balance/objects.hpp"

namespace nestbind::balance::partition {

// What two objects send to each other, a < b.
struct Edge {
  int a = 0;
  int b = 0;
  int weight = 1;  // above 0
  bool operator==(const Edge&) const = default;
};

struct Request {
  int parts = 1;
  std::vector<int> load;  // of each object, above 0
  std::vector<Edge> edges;
  bool operator==(const Request&) const = default;
};

// Loads and messages in proportion, so that the sum of each fits an int, and none is 0:
// partitioners know no part of nothing. Homes are left out, of which they know nothing either.
Request request_of(const Objects& objects, int parts);

std::string print(const Request& request);
// None where the text is no request.
std::optional<Request> parse(const std::string& text);

// Compressed rows of the edges, each from both ends, in the library's kind of number.
template <typename Number>
struct Rows {
  std::vector<Number> begin;
  std::vector<Number> neighbour;
  std::vector<Number> weight;

  explicit Rows(const Request& request) : begin(request.load.size() + 1, 0) {
    for (const Edge& edge : request.edges) {
      ++begin[static_cast<std::size_t>(edge.a) + 1];
      ++begin[static_cast<std::size_t>(edge.b) + 1];
    }
    for (std::size_t i = 1; i < begin.size(); ++i) {
      begin[i] += begin[i - 1];
    }
    std::vector<Number> next(begin.begin(), begin.end() - 1);
    neighbour.resize(2 * request.edges.size() + 1);  // there is always one to point to
    weight.resize(neighbour.size());
    for (const Edge& edge : request.edges) {
      put(next, edge.a, edge.b, edge.weight);
      put(next, edge.b, edge.a, edge.weight);
    }
  }

 private:
  void put(std::vector<Number>& next, int from, int to, int messages) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
    neighbour[at] = to;
    weight[at] = messages;
  }
};

// Divides where there is nothing to be asked: one part, or a part for each object. None otherwise.
std::optional<std::vector<int>> divide_plainly(const Request& request);

// By the libraries: the part of each object. None where one refuses, and where it was not there
// when this was built. They may end the process on an error in them.
//
// F. Pellegrini, Scotch and libScotch 7.0 User's Guide: SCOTCH_graphPart, as it is by default.
std::optional<std::vector<int>> by_scotch(const Request& request);
// G. Karypis, METIS 5.1.0 manual: METIS_PartGraphKway, as it is by default.
std::optional<std::vector<int>> by_metis(const Request& request);

}  // namespace nestbind::balance::partition
