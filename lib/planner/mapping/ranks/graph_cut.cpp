// SPDX-License-Identifier: BSD-3-Clause
// Cuts a part of a graph in two: matching (coarser graphs), growing (the coarsest), and moves
// across the cut, after C. M. Fiduccia and R. M. Mattheyses (1982), and G. Karypis and V. Kumar
// (1998).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "mapping/ranks/halves.hpp"

namespace nestbind::mapping {

namespace {

constexpr int kNone = -1;

// The vertices of a part, or groups of them.
struct Part {
  std::vector<int> size;  // vertices of the finest part
  std::vector<long> begin{0};
  std::vector<int> other;
  std::vector<double> bytes;
  std::vector<double> drawn;  // how much less a vertex costs on the left; empty if nothing
  int count() const { return static_cast<int>(size.size()); }
  double drawn_of(int v) const { return drawn.empty() ? 0 : drawn[v]; }
};

// Knuth's numbers (MMIX). They are the same in each process, so all processes of a job find the
// same order. The upper bits are better than the lower ones.
class Numbers {
 public:
  std::size_t below(std::size_t end) { return (numbers_() >> 33) % end; }

 private:
  std::linear_congruential_engine<std::uint64_t, 6364136223846793005U, 1, 0> numbers_;
};

// A division of a part: which vertices are on the left.
struct Sides {
  std::vector<bool> is_left;
  double cut = 0;  // less what is drawn to the left, and is there
  long left = 0;   // sizes on the left
};

// Moves vertices across the cut, each at most once, and keeps the best state on the way.
class Moves {
 public:
  Moves(const Part& part, long wanted, long slack)
      : part_(part),
        wanted_(wanted),
        slack_(slack),
        gain_(part.size.size()),
        is_moved_(part.size.size()) {}

  bool improve(Sides& sides) {
    start(sides);
    const double cut_before = sides.cut;
    const long off_before = off(sides);
    std::vector<int> moved;
    std::size_t best = 0;
    double best_cut = cut_before;
    long best_off = off_before;
    const std::size_t patience = std::max<std::size_t>(kPatience, gain_.size() / kPatienceShare);
    for (int v = next(sides); v != kNone && moved.size() - best < patience; v = next(sides)) {
      move(sides, v);
      moved.push_back(v);
      if (off(sides) < best_off || (off(sides) == best_off && sides.cut < best_cut - least_)) {
        best = moved.size();
        best_cut = sides.cut;
        best_off = off(sides);
      }
    }
    while (moved.size() > best) {
      flip(sides, moved.back());
      moved.pop_back();
    }
    sides.cut = best_cut;
    return best_off < off_before || best_cut < cut_before - least_;
  }

 private:
  static constexpr std::size_t kPatience = 64;
  static constexpr std::size_t kPatienceShare = 8;
  using Queue = std::priority_queue<std::pair<double, int>>;

  // How far the left side is from its wanted size, beyond the slack.
  long off(const Sides& sides) const {
    return std::max(std::labs(sides.left - wanted_) - slack_, 0L);
  }
  void start(const Sides& sides) {
    queues_[0] = {};
    queues_[1] = {};
    is_moved_.assign(is_moved_.size(), false);
    double sum = 0;
    for (int v = 0; v < part_.count(); ++v) {
      gain_[v] = sides.is_left[v] ? -part_.drawn_of(v) : part_.drawn_of(v);
      for (long at = part_.begin[v]; at < part_.begin[v + 1]; ++at) {
        gain_[v] +=
            sides.is_left[part_.other[at]] == sides.is_left[v] ? -part_.bytes[at] : part_.bytes[at];
        sum += part_.bytes[at];
      }
      queues_[sides.is_left[v] ? 0 : 1].push({gain_[v], v});
    }
    constexpr double kRounding = 1e-12;  // a smaller gain may be a rounding error
    least_ = kRounding * sum;
  }
  int top(int side, const Sides& sides) {
    Queue& queue = queues_[side];
    while (!queue.empty()) {
      const auto [gain, v] = queue.top();
      if (!is_moved_[v] && gain == gain_[v] && sides.is_left[v] == (side == 0)) {
        return v;
      }
      queue.pop();
    }
    return kNone;
  }
  int next(const Sides& sides) {
    const int left = top(0, sides);
    const int right = top(1, sides);
    if (left == kNone || right == kNone) {
      return sides.left > wanted_ ? left : sides.left < wanted_ ? right : kNone;
    }
    const long over = sides.left - wanted_;
    if (over >= std::max(slack_, 1L)) {
      return left;
    }
    if (-over >= std::max(slack_, 1L)) {
      return right;
    }
    return gain_[left] >= gain_[right] ? left : right;
  }
  void flip(Sides& sides, int v) const {
    sides.left += sides.is_left[v] ? -part_.size[v] : part_.size[v];
    sides.is_left[v] = !sides.is_left[v];
  }
  void move(Sides& sides, int v) {
    sides.cut -= gain_[v];
    flip(sides, v);
    is_moved_[v] = true;
    for (long at = part_.begin[v]; at < part_.begin[v + 1]; ++at) {
      const int other = part_.other[at];
      const bool is_same = sides.is_left[other] == sides.is_left[v];
      gain_[other] += is_same ? -2 * part_.bytes[at] : 2 * part_.bytes[at];
      if (!is_moved_[other]) {
        queues_[sides.is_left[other] ? 0 : 1].push({gain_[other], other});
      }
    }
  }

  const Part& part_;
  long wanted_;
  long slack_;
  double least_ = 0;
  std::vector<double> gain_;
  std::vector<bool> is_moved_;
  Queue queues_[2];
};

class GraphCut {
 public:
  explicit GraphCut(const RankGraph& graph)
      : graph_(graph), local_(static_cast<std::size_t>(graph.ranks()), kNone) {}

  void operator()(std::span<int> items, std::size_t left, const std::vector<double>& drawn) {
    std::ranges::sort(items);
    Part part = part_of(items);
    for (const int item : items) {
      if (!drawn.empty()) {
        part.drawn.push_back(drawn[item]);
      }
    }
    Sides best;
    constexpr int kTries = 4;
    for (int i = 0; i < kTries; ++i) {
      Sides sides = divide(part, static_cast<long>(left));
      if (i == 0 || sides.cut < best.cut) {
        best = std::move(sides);
      }
    }
    std::vector<int> right;
    std::size_t next = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (best.is_left[i]) {
        items[next++] = items[i];
      } else {
        right.push_back(items[i]);
      }
    }
    std::ranges::copy(right, items.begin() + static_cast<std::ptrdiff_t>(next));
  }

 private:
  Part part_of(std::span<const int> items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      local_[items[i]] = static_cast<int>(i);
    }
    Part part;
    part.size.assign(items.size(), 1);
    for (const int item : items) {
      for (long at = graph_.begin[item]; at < graph_.begin[item + 1]; ++at) {
        if (const int other = local_[graph_.other[at]]; other != kNone) {
          part.other.push_back(other);
          part.bytes.push_back(graph_.bytes[at]);
        }
      }
      part.begin.push_back(static_cast<long>(part.other.size()));
    }
    for (const int item : items) {
      local_[item] = kNone;
    }
    return part;
  }

  // Joins each vertex with the neighbour to which it sends most. group: the vertex of `coarse`.
  Part coarser(const Part& part, std::vector<int>& group) {
    constexpr int kShare = 16;
    const int most = std::max(2, std::accumulate(part.size.begin(), part.size.end(), 0) / kShare);
    std::vector<int> order(part.size.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[numbers_.below(i)]);
    }
    group.assign(part.size.size(), kNone);
    std::vector<std::pair<int, int>> members;  // of each group; the second may be none
    for (const int v : order) {
      if (group[v] != kNone) {
        continue;
      }
      int best = kNone;
      double heaviest = 0;
      for (long at = part.begin[v]; at < part.begin[v + 1]; ++at) {
        const int other = part.other[at];
        const double weight = part.bytes[at] / part.size[other];
        if (group[other] == kNone && other != v && weight > heaviest &&
            part.size[v] + part.size[other] <= most) {
          best = other;
          heaviest = weight;
        }
      }
      group[v] = 0;
      if (best != kNone) {
        group[best] = 0;
      }
      members.emplace_back(v, best);
    }
    if (10 * members.size() > 9 * order.size()) {
      join_singles(members);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (const int v : {members[i].first, members[i].second}) {
        if (v != kNone) {
          group[v] = static_cast<int>(i);
        }
      }
    }
    Part coarse;
    std::vector<long> place(members.size(), kNone);  // of a neighbour in this row
    for (const auto& [one, two] : members) {
      const long begin = coarse.begin.back();
      const int own = static_cast<int>(coarse.size.size());
      coarse.size.push_back(part.size[one] + (two == kNone ? 0 : part.size[two]));
      if (!part.drawn.empty()) {
        coarse.drawn.push_back(part.drawn[one] + (two == kNone ? 0 : part.drawn[two]));
      }
      for (const int v : {one, two}) {
        for (long at = v == kNone ? 0 : part.begin[v]; v != kNone && at < part.begin[v + 1]; ++at) {
          const int other = group[part.other[at]];
          if (other == own) {
            continue;
          }
          if (place[other] < begin) {
            place[other] = static_cast<long>(coarse.other.size());
            coarse.other.push_back(other);
            coarse.bytes.push_back(0);
          }
          coarse.bytes[place[other]] += part.bytes[at];
        }
      }
      coarse.begin.push_back(static_cast<long>(coarse.other.size()));
    }
    return coarse;
  }

  // Joins vertices without a free neighbour with each other, as the leaves of a star.
  static void join_singles(std::vector<std::pair<int, int>>& members) {
    int* place = nullptr;  // beside a vertex that waits for another
    for (auto& [one, two] : members) {
      if (two == kNone && place != nullptr) {
        *std::exchange(place, nullptr) = std::exchange(one, kNone);
      } else if (two == kNone) {
        place = &two;
      }
    }
    std::erase_if(members, [](const auto& group) { return group.first == kNone; });
  }

  // Takes the vertices with most bytes to the left side, one by one from any first.
  Sides grown(const Part& part, long wanted) {
    Sides sides;
    sides.is_left.assign(part.size.size(), false);
    std::vector<double> drawn(part.size.size(), 0);
    const auto gain_of = [&](int v) {
      return std::accumulate(part.bytes.begin() + part.begin[v],
                             part.bytes.begin() + part.begin[v + 1], drawn[v] + part.drawn_of(v),
                             std::minus<>());
    };
    int next = static_cast<int>(numbers_.below(part.size.size()));
    while (sides.left < wanted && next != kNone) {
      sides.is_left[next] = true;
      sides.cut -= gain_of(next);
      sides.left += part.size[next];
      for (long at = part.begin[next]; at < part.begin[next + 1]; ++at) {
        drawn[part.other[at]] += 2 * part.bytes[at];
      }
      next = kNone;
      double most = 0;
      for (int v = 0; v < part.count(); ++v) {
        if (sides.is_left[v]) {
          continue;
        }
        const double gain = gain_of(v);
        if (next == kNone || gain > most) {
          next = v;
          most = gain;
        }
      }
    }
    return sides;
  }

  static void refine(const Part& part, long wanted, Sides& sides) {
    constexpr int kPasses = 12;
    const int largest = *std::ranges::max_element(part.size);
    Moves moves(part, wanted, largest > 1 ? largest : 0);
    for (int pass = 0; pass < kPasses && moves.improve(sides); ++pass) {
    }
  }

  Sides divide(const Part& part, long wanted) {
    constexpr int kCoarsest = 48;
    if (part.count() > kCoarsest) {
      std::vector<int> group;
      const Part coarse = coarser(part, group);
      if (coarse.count() < part.count()) {
        const Sides rough = divide(coarse, wanted);
        Sides sides{std::vector<bool>(part.size.size()), rough.cut, rough.left};
        for (int v = 0; v < part.count(); ++v) {
          sides.is_left[v] = rough.is_left[group[v]];
        }
        refine(part, wanted, sides);
        return sides;
      }
    }
    Sides best;
    constexpr int kStarts = 8;
    for (int start = 0; start < kStarts; ++start) {
      Sides sides = grown(part, wanted);
      refine(part, wanted, sides);
      const long off = std::labs(sides.left - wanted);
      const long best_off = std::labs(best.left - wanted);
      if (start == 0 || off < best_off || (off == best_off && sides.cut < best.cut)) {
        best = std::move(sides);
      }
    }
    return best;
  }

  const RankGraph& graph_;
  std::vector<int> local_;  // of each rank in the part; kNone outside
  Numbers numbers_;
};

}  // namespace

Cut graph_cut(const RankGraph& graph) { return GraphCut(graph); }

}  // namespace nestbind::mapping
