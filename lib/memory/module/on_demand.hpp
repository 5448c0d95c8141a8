// SPDX-License-Identifier: BSD-3-Clause
// Tells what is known by now, whenever somebody asks for it (memory/watch_request.hpp). By the
// thread that samples: nobody waits for it, and while nobody asks it is a system call or two a
// second.
#pragma once

#include <functional>
#include <string>

#include "memory/watch_request.hpp"

namespace nestbind::memory {

class OnDemand {
 public:
  // tell: the report, as JSON; empty where there is nothing to tell.
  explicit OnDemand(std::function<std::string()> tell);

  // seconds: a clock's. Answers who has asked. Throws what `tell` throws.
  void look(double seconds);

 private:
  const std::function<std::string()> tell_;
  char name_[kMostRequest];
  double next_ = 0;
};

}  // namespace nestbind::memory
