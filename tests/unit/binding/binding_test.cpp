// SPDX-License-Identifier: BSD-3-Clause
// Tests a thread's mask in the kernel and in the recorder. Also tests the masks of the thread's new
// threads. If the machine has one processor, bound and free threads have the same mask.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "binding/believed_mask.hpp"
#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "binding/widened.hpp"
#include "helpers/cpus.hpp"
#include "helpers/fresh_process.hpp"
#include "process/original_mask.hpp"

using namespace nestbind::binding;
using nestbind::process::original_mask;

namespace {

const MaskBuffer& last_cpu() {
  static const MaskBuffer mask = cpus::of({cpus::list(original_mask()).back()});
  return mask;
}

std::string all() { return cpus::text(original_mask()); }
std::string last() { return cpus::text(last_cpu().view()); }

void* note_mask(void* into) {
  *static_cast<std::string*>(into) = cpus::in_kernel();
  return nullptr;
}

std::string mask_of_new_thread(const MaskBuffer* given = nullptr) {
  std::string mask;
  std::thread thread;
  const int result = create_free<void*>(note_mask, &mask, [&](void* (*start)(void*), void* with) {
    thread = std::thread([=] {
      if (given != nullptr) {
        cpus::set_in_kernel(given->view());
      }
      start(with);
    });
    return 0;
  });
  thread.join();
  return result == 0 ? mask : "?";
}

}  // namespace

TEST_CASE("a thread is bound and freed") {
  fresh::process({}, [] {
    CHECK(bound_mask().bits == nullptr);
    CHECK_FALSE(self_is_bound());
    errno = ELOOP;
    REQUIRE(bind_self(last_cpu().view()));
    CHECK(cpus::in_kernel() == last());
    CHECK(self_is_bound());
    CHECK(kernel_mask_is(last_cpu().view()));
    MaskBuffer read;
    REQUIRE(read_self(read));
    CHECK(cpus::text(read.view()) == last());
    unbind_self();
    CHECK(errno == ELOOP);
    CHECK(cpus::in_kernel() == all());
    CHECK(bound_mask().bits == nullptr);
  });
}

TEST_CASE("unbinding a thread keeps a mask that someone else has set meanwhile") {
  fresh::process({}, [] {
    static const MaskBuffer first = cpus::of({cpus::list(original_mask()).front()});
    REQUIRE(bind_self(last_cpu().view()));
    REQUIRE(cpus::set_in_kernel(first.view()));
    unbind_self();
    const bool is_other = cpus::text(first.view()) != last();
    CHECK((cpus::in_kernel() == cpus::text(first.view())) == is_other);
    CHECK(bound_mask().bits == nullptr);
    CHECK_FALSE(rebind_self());
    REQUIRE(bind_self(last_cpu().view()));
    REQUIRE(cpus::set_in_kernel(first.view()));
    CHECK(rebind_self());
    CHECK(cpus::in_kernel() == last());
  });
}

TEST_CASE("a bound thread can read the process's current mask and stays bound") {
  fresh::process({}, [] {
    MaskBuffer now;
    CHECK_FALSE(read_process_mask(now));  // the thread has this mask already
    REQUIRE(bind_self(last_cpu().view()));
    errno = ELOOP;
    REQUIRE(read_process_mask(now));
    CHECK(errno == ELOOP);
    CHECK(cpus::text(now.view()) == all());
    CHECK(cpus::in_kernel() == last());
    CHECK(self_is_bound());
  });
}

namespace {

bool refuse_masks() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{4, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace

TEST_CASE("the kernel is asked for the process's mask at most once a second") {
  fresh::process({}, [] {
    MaskBuffer now;
    REQUIRE(bind_self(last_cpu().view()));
    REQUIRE(read_process_mask(now));
    REQUIRE(refuse_masks());
    for (int i = 0; i < 100; ++i) {
      memset(&now, 0, sizeof now);
      REQUIRE(read_process_mask(now));
      REQUIRE(cpus::text(now.view()) == all());
    }
    usleep(1100000);
    CHECK_FALSE(read_process_mask(now));
  });
}

TEST_CASE("a believed mask is valid until its time is over") {
  const MaskBuffer whole = cpus::of({0, 1, 2, 3});
  const MaskBuffer other = cpus::of({0, 1, 2, 3});
  const MaskBuffer left = cpus::of({1, 3});
  BelievedMask believed;
  MaskBuffer now;
  CHECK_FALSE(believed.read(whole.view(), 0, now));
  believed.write(whole.view(), 100, left);
  REQUIRE(believed.read(whole.view(), 99, now));
  CHECK(cpus::text(now.view()) == cpus::text(left.view()));
  CHECK_FALSE(believed.read(whole.view(), 100, now));
  CHECK_FALSE(believed.read(other.view(), 99, now));
  believed.write(other.view(), 300, whole);
  REQUIRE(believed.read(other.view(), 299, now));
  CHECK(cpus::text(now.view()) == cpus::text(whole.view()));
}

TEST_CASE("concurrent readers of the believed mask never get parts of two masks") {
  const MaskBuffer whole = cpus::of({0, 1});
  const MaskBuffer one = cpus::of({0, 100, 1000, 8000});
  const MaskBuffer two = cpus::of({1, 101, 1001, 8001});
  static constinit BelievedMask believed;
  std::atomic<int> wrong{0};
  const auto read = [&] {
    MaskBuffer now;
    for (int i = 0; i < 20000; ++i) {
      if (believed.read(whole.view(), 0, now) && !nestbind::mask::is_same(now.view(), one.view()) &&
          !nestbind::mask::is_same(now.view(), two.view())) {
        ++wrong;
      }
    }
  };
  std::thread first(read);
  std::thread second(read);
  for (int i = 0; i < 20000; ++i) {
    believed.write(whole.view(), 1, i % 2 == 0 ? one : two);
  }
  first.join();
  second.join();
  CHECK(wrong == 0);
}

TEST_CASE("a thread keeps its mask if the kernel refuses the new one") {
  fresh::process({}, [] {
    const MaskBuffer none{};
    errno = ELOOP;
    CHECK_FALSE(bind_self(none.view()));
    CHECK(errno == ELOOP);
    CHECK(bound_mask().bits == nullptr);
    CHECK(cpus::in_kernel() == all());
  });
}

TEST_CASE("the recorder sets no mask") {
  fresh::process({}, [] {
    record_masks();
    CHECK(masks_are_recorded());
    MaskBuffer read;
    CHECK_FALSE(read_self(read));
    static const MaskBuffer machine = cpus::of({0, 1, 2, 500});
    static const MaskBuffer place = cpus::of({500});
    note_planned_machine(machine.view());
    CHECK(cpus::told() == "0 1 2 500");
    REQUIRE(bind_self(place.view()));
    CHECK(cpus::told() == "500");
    CHECK(cpus::in_kernel() == all());
    CHECK_FALSE(self_is_bound());
    widen_kernel_mask();
    restore_kernel_mask(last_cpu().view());
    CHECK(cpus::in_kernel() == all());
    unbind_self();
    CHECK(cpus::told() == "0 1 2 500");
  });
}

TEST_CASE("a thread has the process's mask while a Widened object exists") {
  fresh::process({}, [] {
    REQUIRE(bind_self(last_cpu().view()));
    {
      const Widened widened;
      CHECK(cpus::in_kernel() == all());
      CHECK_FALSE(self_is_bound());
    }
    CHECK(cpus::in_kernel() == last());
    CHECK(self_is_bound());
    unbind_self();
    {
      const Widened widened;
      CHECK(cpus::in_kernel() == all());
    }
    CHECK_FALSE(self_is_bound());
  });
}

TEST_CASE("a Widened object keeps a mask that was set on purpose") {
  fresh::process({}, [] {
    static const MaskBuffer first = cpus::of({cpus::list(original_mask()).front()});
    REQUIRE(bind_self(last_cpu().view()));
    REQUIRE(cpus::set_in_kernel(first.view()));
    if (cpus::text(first.view()) != last()) {
      const Widened widened;
      CHECK(cpus::in_kernel() == cpus::text(first.view()));
    }
    CHECK(cpus::in_kernel() == cpus::text(first.view()));
    CHECK(self_is_bound());
  });
}

TEST_CASE("a program gets the process's mask and a failed exec restores the thread's mask") {
  fresh::process({}, [] {
    REQUIRE(bind_self(last_cpu().view()));
    {
      const WidenedForExec widened;
      CHECK(cpus::in_kernel() == all());
      CHECK(bound_mask().bits == last_cpu().bits);  // after vfork parent and child share one record
    }
    CHECK(cpus::in_kernel() == last());
  });
}

TEST_CASE("exec keeps a mask that was set on purpose") {
  fresh::process({}, [] {
    static const MaskBuffer first = cpus::of({cpus::list(original_mask()).front()});
    REQUIRE(bind_self(last_cpu().view()));
    REQUIRE(cpus::set_in_kernel(first.view()));
    const bool is_other = cpus::text(first.view()) != last();
    const WidenedForExec widened;
    CHECK((cpus::in_kernel() == cpus::text(first.view())) == is_other);
  });
}

TEST_CASE("a helper thread that a bound thread creates is not bound") {
  fresh::process({}, [] {
    CHECK(mask_of_new_thread() == all());
    REQUIRE(bind_self(last_cpu().view()));
    CHECK(mask_of_new_thread() == all());
    CHECK(cpus::in_kernel() == last());
    // The new thread's mask differs from the creator's mask.
    const MaskBuffer first = cpus::of({cpus::list(original_mask()).front()});
    if (cpus::text(first.view()) != last()) {
      CHECK(mask_of_new_thread(&first) == cpus::text(first.view()));
    }
  });
}

TEST_CASE("a failed creation of a thread leaves the creator's binding as it was") {
  fresh::process({}, [] {
    REQUIRE(bind_self(last_cpu().view()));
    const auto refuse = [](void* (*)(void*), void*) { return EAGAIN; };
    CHECK(create_free<void*>(note_mask, nullptr, refuse) == EAGAIN);
    unbind_self();
    CHECK(create_free<void*>(note_mask, nullptr, refuse) == EAGAIN);
  });
}

TEST_CASE("forgetting the binding does not change the kernel's mask") {
  fresh::process({}, [] {
    REQUIRE(bind_self(last_cpu().view()));
    forget_binding();
    CHECK_FALSE(self_is_bound());
    CHECK(cpus::in_kernel() == last());
    widen_kernel_mask();
    CHECK(cpus::in_kernel() == all());
  });
}
