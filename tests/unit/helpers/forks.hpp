// SPDX-License-Identifier: BSD-3-Clause
// Forks teams of a fake runtime, and reports the forks to lib/preload/team.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "helpers/cpus.hpp"
#include "helpers/fake_omp.hpp"
#include "placement/placed_forks.hpp"
#include "team/fork.hpp"

namespace fake {

using Body = std::function<void(int number)>;

struct How {
  int runtime = 0;
  Members members = Members::kNew;
  int size = 0;  // from the num_threads clause, or 0 without a clause
  std::function<void()> at_the_end =
      nullptr;  // an explicit task of the primary thread, in the last barrier
};

inline void end(nestbind::team::Team* told, int number) {
  if (!nestbind::placement::end_again(*told, number)) {
    nestbind::team::member_end(told, number);
  }
}

inline void parallel(const How& how, const Body& body) {
  namespace placement = nestbind::placement;
  namespace team = nestbind::team;
  const nestbind::omp::Calls& runtime = calls(how.runtime);
  team::Team* const again =
      placement::fork_again(runtime, static_cast<unsigned>(runtime.get_max_threads()));
  if (again != nullptr && placement::needs_workers(*again)) {
    placement::expect_workers(*again);
  }
  team::Team* const told = again != nullptr ? again : team::fork_begin(runtime, nullptr, 0);
  run_team(how.runtime, how.members, how.size, [&](int number, int size) {
    if (!placement::begin_again(*told, number, size)) {
      team::member_begin(told, number, size);
    }
    body(number);
    if (number == 0 && how.at_the_end != nullptr) {
      how.at_the_end();
    }
    if (number != 0 && how.members == Members::kKept) {  // libgomp's workers report nothing
      end(told, number);
    }
  });
  end(told, 0);  // after the barrier all members have begun
}

// Stores a text for each member, sorted by the members' paths.
class Seen {
 public:
  void note(const std::string& text, int runtime = 0) {
    std::vector<int> path;
    for (const Step& step : self(runtime).path) {
      path.push_back(step.number);
    }
    const std::lock_guard lock(mutex_);
    texts_[path] = text;
  }
  // Returns a row for each team, such as "0 1 / 4 5". A text of several words is in braces.
  std::string rows() const {
    std::string all;
    std::vector<int> primary;
    for (const auto& [path, text] : texts_) {
      const std::vector<int> above(path.begin(), path.end() - 1);
      all += all.empty() ? "" : above == primary ? " " : " / ";
      primary = above;
      all += text.find(' ') == std::string::npos ? text : braced(text);
    }
    return all;
  }

 private:
  static std::string braced(std::string text) {
    for (char& letter : text) {
      letter = letter == ' ' ? ',' : letter;
    }
    return "{" + text + "}";
  }
  std::mutex mutex_;
  std::map<std::vector<int>, std::string> texts_;
};

// Forks nested teams of the default sizes. Each innermost member calls `text`. Returns the results
// as rows.
inline std::string rows(int levels, const How& how = {},
                        const std::function<std::string()>& text = cpus::told) {
  Seen seen;
  const std::function<void(int)> fork = [&](int deeper) {
    parallel(how,
             [&, deeper](int) { deeper > 1 ? fork(deeper - 1) : seen.note(text(), how.runtime); });
  };
  fork(levels);
  return seen.rows();
}

}  // namespace fake
