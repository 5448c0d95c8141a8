// SPDX-License-Identifier: BSD-3-Clause
#include "planner/planner_found.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "machine/cache/probed.hpp"
#include "machine/loading/load_machine.hpp"
#include "mapping/order_text.hpp"
#include "mask/cpu_list.hpp"
#include "planner/handles.hpp"
#include "support/errno_kept.hpp"
#include "support/user_file.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::planner {

namespace {

std::string shown(const char* file) {
  constexpr std::size_t kMost = 300;
  std::string name = file;
  if (name.size() > kMost) {
    name.replace(0, name.size() - kMost, "...");
  }
  std::ranges::replace_if(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return name;
}

std::atomic<Found*> g_found{nullptr};

// Turns cancellation off while files are read, because a fork must not be a cancellation point.
class CancellationOff {
 public:
  CancellationOff() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~CancellationOff() { pthread_setcancelstate(before_, nullptr); }
  CancellationOff(const CancellationOff&) = delete;
  CancellationOff& operator=(const CancellationOff&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

void find_order(const PlannerOptions& options, Found& found) {
  if (options.order != nullptr) {
    found.order_fault = read_order(options.order, found.order);
    found.order_file = found.order_fault.empty() ? options.order : "";
  }
}

}  // namespace

std::string read_order(const char* file, plan::Order& order) {
  std::string text;
  const int error =
      support::read_user_file(file, mapping::kLargestOrder, support::Streams::kRefused, text);
  if (error != 0) {
    return shown(file) + ": " + std::generic_category().message(error);
  }
  mapping::Fault fault;
  if (mapping::parse_order(text, order, fault)) {
    return "";
  }
  return shown(file) + ", " + mapping::describe(text, fault);
}

std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan) {
  const std::string what = mapping::unused_in(order, plan);
  return what.empty() ? "" : shown(file) + " " + what;
}

std::string source_of(const PlannerOptions& options) {
  return options.source == nullptr ? "" : options.source;
}

void find_machine(const PlannerOptions& options) {
  if (g_found.load(std::memory_order_acquire) != nullptr) {
    return;
  }
  const support::ErrnoKept errno_kept;
  const CancellationOff cancellation_off;
  auto* const found = new (std::nothrow) Found;
  if (found != nullptr) {
    found->error = guarded(found->message, [&] {
      const std::string source = source_of(options);
      found->hardware = source.empty()
                            ? machine::loading::find_hardware(options.cache, options.allowed)
                            : machine::loading::find_given(source, options.records);
      if (options.probed && source.empty()) {
        machine::cache::add_probed(found->hardware, options.cache);
      }
      if (options.probed && !machine::use_probed_distances(found->hardware)) {
        tell(found->message, support::kNoneMeasured);
      }
      find_order(options, *found);
      return NESTBIND_OK;
    });
    Found* earlier = nullptr;  // found by another thread at the same time
    if (!g_found.compare_exchange_strong(earlier, found, std::memory_order_acq_rel)) {
      delete found;
    }
  }
}

Found* found() { return g_found.load(std::memory_order_acquire); }

Found* found_or_why(int& error, PlannerMessage& message) {
  Found* const there = found();
  error = there == nullptr ? int{NESTBIND_NO_MEMORY} : there->error;
  if (error != NESTBIND_OK) {
    message = there == nullptr ? PlannerMessage{} : there->message;
  }
  return error == NESTBIND_OK ? there : nullptr;
}

machine::Topology topology_of(const PlannerOptions& options, const machine::Hardware& hardware) {
  std::optional<std::vector<int>> allowed;
  if (options.allowed.bits != nullptr) {
    allowed = mask::cpus_in(options.allowed);
  }
  return machine::Topology::of(hardware, source_of(options), allowed);
}

void tell_of_order(plan::Plan& plan, PlannerMessage& message) {
  Found& there = *found();
  if (!there.order_fault.empty()) {
    tell(message, "NESTBIND_ORDER: " + there.order_fault + "\n  the plain order is used");
    message.is_fault = true;
    there.order_fault.clear();
  } else if (!there.order_file.empty()) {
    const std::string unused = unused_in(there.order, there.order_file.c_str(), plan);
    tell(message, unused.empty() ? "" : "NESTBIND_ORDER: " + unused);
  }
}

void tell_of_quota(const plan::Plan& plan, PlannerMessage& message) {
  Found& there = *found();
  const std::string over = plan::over_quota(plan.rules(), plan.quota());
  if (!over.empty() && message.text[0] == '\0' && !there.quota_is_told) {
    tell(message, over);
    message.is_of_all = true;
    there.quota_is_told = true;
  }
}

}  // namespace nestbind::planner
