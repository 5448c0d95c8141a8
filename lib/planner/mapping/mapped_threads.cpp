// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/mapped_threads.hpp"

#include <map>

namespace nestbind::mapping {

namespace {

class Maker {
 public:
  explicit Maker(plan::Plan& plan) : plan_(plan) {}

  int add(const plan::Path& path) {
    const int index = static_cast<int>(threads_.all.size());
    Thread& thread = threads_.all.emplace_back();
    for (const plan::Step& step : path) {
      thread.path.push_back(step.number);
    }
    thread.begin = threads_.count();
    std::vector<int> members;
    if (path.size() == plan_.rules().size()) {
      threads_.index.push_back(index);
      threads_.slot.push_back(plan_.slot_of(path).slot);
    } else {
      const int size = plan_.next_size(path);
      for (int i = 0; i < size; ++i) {
        plan::Path member = path;
        member.push_back({i, size});
        members.push_back(add(member));
      }
    }
    // The reference `thread` is no longer valid after add().
    Thread& done = threads_.all[index];
    done.members = std::move(members);
    done.end = threads_.count();
    done.shape = shape_of(done);
    return index;
  }

  Threads take() { return std::move(threads_); }

 private:
  int shape_of(const Thread& thread) {
    std::vector<int> shapes;
    shapes.reserve(thread.members.size());
    for (const int member : thread.members) {
      shapes.push_back(threads_.all[member].shape);
    }
    return shapes_.emplace(std::move(shapes), static_cast<int>(shapes_.size())).first->second;
  }

  plan::Plan& plan_;
  Threads threads_;
  std::map<std::vector<int>, int> shapes_;
};

}  // namespace

Threads make_threads(plan::Plan& plan) {
  Maker maker(plan);
  maker.add({});
  return maker.take();
}

int find_thread(const Threads& threads, const std::vector<int>& path) {
  int at = 0;
  for (const int number : path) {
    const std::vector<int>& members = threads.all[at].members;
    if (number < 0 || number >= static_cast<int>(members.size())) {
      return -1;
    }
    at = members[number];
  }
  return threads.all[at].members.empty() ? threads.all[at].begin : -1;
}

}  // namespace nestbind::mapping
