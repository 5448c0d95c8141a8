// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/meeting/tree.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "helpers/folder.hpp"
#include "helpers/fresh_process.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "ranks/meeting/job_key.hpp"

using namespace nestbind;
using namespace nestbind::ranks;

namespace {

TreeShare share_with(int cpu) {
  mask::MaskBuffer mask{};
  mask::add(mask.bits, cpu);
  return share_in_tree(mask.view());
}

std::string text_of(const TreeShare& share) {
  return std::to_string(share.index) + " of " + std::to_string(share.of) +
         (share.fault == nullptr ? "" : " fault") + (share.is_crowded ? " crowded" : "");
}

// A forked process that does what it is told, and tells what it sees.
class Worker {
 public:
  Worker() {
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_.data()) == 0);
    // The kernel lists a child under the thread that forked it. A new process asks only the list of
    // its parent's first thread for siblings, so these workers do not expect each other.
    std::atomic<bool> is_forked{false};
    parent_ = std::thread([this, &is_forked] {
      process_ = fork();
      if (process_ == 0) {
        close(ends_[0]);
        leave_tree_in_child();
        work(ends_[1]);
      }
      is_forked = true;
      is_forked.notify_one();
      may_end_.wait(false);
    });
    is_forked.wait(false);
    close(ends_[1]);
  }
  ~Worker() {
    end(SIGKILL);
    close(ends_[0]);
    may_end_ = true;
    may_end_.notify_one();
    parent_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  pid_t process() const { return process_; }
  void begin(const std::string& order) const {
    REQUIRE(write(ends_[0], order.data(), order.size()) == static_cast<ssize_t>(order.size()));
  }
  std::string answer() const {
    std::array<char, 128> text{};
    const ssize_t length = read(ends_[0], text.data(), text.size());
    return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : "ended";
  }
  std::string does(const std::string& order) const {
    begin(order);
    return answer();
  }
  // Ends the process by a signal, but leaves a zombie.
  void kill_only() const {
    kill(process_, SIGKILL);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOWAIT);
  }
  void end(int signal = 0) {
    if (process_ > 0) {
      kill(process_, signal);
      waitpid(process_, nullptr, 0);
    }
    process_ = 0;
  }

 private:
  static std::string done(const std::string& order) {
    switch (order[0]) {
      case 's':
        return text_of(share_with(order.size() > 1 ? order[1] - '0' : 0));
      case 'r':
        setenv("NESTBIND_RUN", order.c_str() + 1, 1);
        return "set";
      case 'l':
        setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
        setenv("OMPI_COMM_WORLD_LOCAL_RANK", order.c_str() + 1, 1);
        return "set";
      case 'c':
        return tree_has_changed() ? "changed" : "same";
      case 'i':
        return tree_inside() ? "counted" : "not counted";
      case 'o':
        tree_outside(support::milliseconds_now());
        return "out";
      case 'k':
        return std::to_string(find_tree().key);
      case 'f': {  // a child that asks on its own
        const Worker child;
        std::string answers;
        for (const char* each : {"c", "i", "o", "s"}) {
          answers += child.does(each) + ", ";
        }
        return answers;
      }
      case 'x':
        exit(0);
      default:
        _exit(0);
    }
  }
  [[noreturn]] static void work(int end) {
    for (std::array<char, 64> order{};;) {
      const ssize_t length = read(end, order.data(), order.size());
      if (length <= 0) {
        _exit(0);
      }
      const std::string answer = done({order.data(), static_cast<std::size_t>(length)});
      if (write(end, answer.data(), answer.size()) < 0) {
        _exit(1);
      }
    }
  }

  std::array<int, 2> ends_{};
  pid_t process_ = 0;
  std::thread parent_;  // lives as long as the worker
  std::atomic<bool> may_end_{false};
};

// Waits for processes that exit by themselves.
void ends_itself(Worker& worker, const char* order) {
  worker.begin(order);
  CHECK(worker.answer() == "ended");
  worker.end();
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path());
  }
  return names;
}

fresh::Variables in(const Folder& folder) {
  return {{"NESTBIND_PUBLISH", folder.path()},
          {"OMP_NESTING_TEAM_SIZE", "auto"},
          {"NESTBIND_RUN", "12.34;;;;;"}};
}

// The name of the tree's file. Afterwards the file does not exist.
std::string file_name(const std::string& folder) {
  Worker worker;
  CHECK(worker.does("s") == "0 of 1");
  const std::vector<std::string> files = files_in(folder);
  REQUIRE(files.size() == 1);
  ends_itself(worker, "x");
  CHECK(files_in(folder).empty());
  return files[0];
}

long milliseconds_of(const std::function<void()>& action) {
  const auto begun = std::chrono::steady_clock::now();
  action();
  return static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::steady_clock::now() - begun)
                               .count());
}

}  // namespace

TEST_CASE("workers of one tree divide and the first ones see that others came") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const std::array<Worker, 4> workers;
    CHECK(workers[0].does("c") == "same");
    CHECK(workers[0].does("i") == "not counted");
    for (int i = 0; i < 4; ++i) {
      const std::string expected = std::to_string(i) + " of " + std::to_string(i + 1);
      CHECK(workers[static_cast<std::size_t>(i)].does("s") == expected);
    }
    CHECK(workers[3].does("c") == "same");
    for (int i = 0; i < 4; ++i) {
      const Worker& worker = workers[static_cast<std::size_t>(i)];
      CHECK(worker.does("c") == (i == 3 ? "same" : "changed"));
      CHECK(worker.does("s") == std::to_string(i) + " of 4");
      CHECK(worker.does("c") == "same");
    }
    CHECK(tree_share().of == 0);
    CHECK_FALSE(tree_has_changed());
  });
}

TEST_CASE("a worker that a signal ended inside a region gives its part back") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    Worker killed;
    const Worker other;
    CHECK(killed.does("s") == "0 of 1");
    CHECK(killed.does("i") == "counted");
    CHECK(other.does("s") == "1 of 2");
    killed.kill_only();
    CHECK(other.does("s") == "0 of 1");
    Worker gone;
    CHECK(gone.does("s") == "0 of 2");
    CHECK(gone.does("i") == "counted");
    gone.end(SIGKILL);
    CHECK(other.does("c") == "changed");
    CHECK(other.does("s") == "0 of 1");
  });
}

TEST_CASE("a child that a member forks inside a region is a member of its own") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const Worker parent;
    const Worker other;
    CHECK(parent.does("s") == "0 of 1");
    CHECK(parent.does("i") == "counted");
    CHECK(parent.does("f") == "same, not counted, out, 1 of 2, ");
    CHECK(parent.does("c") == "changed");
    CHECK(other.does("s") == "1 of 2");
    usleep(5500000);  // the parent is still inside, and neither asks nor rests
    CHECK(other.does("s") == "1 of 2");
    CHECK(parent.does("o") == "out");
  });
}

TEST_CASE("a process that rests for five seconds is not counted and comes back") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const Worker resting;
    const Worker other;
    CHECK(resting.does("s") == "0 of 1");
    CHECK(resting.does("i") == "counted");
    CHECK(resting.does("o") == "out");
    CHECK(other.does("s") == "1 of 2");
    CHECK(other.does("i") == "counted");
    usleep(5500000);
    CHECK(other.does("c") == "changed");
    CHECK(other.does("s") == "0 of 1");
    CHECK(resting.does("c") == "changed");
    CHECK(resting.does("i") == "not counted");
    CHECK(resting.does("s") == "0 of 2");
    CHECK(other.does("c") == "changed");
    CHECK(other.does("s") == "1 of 2");
  });
}

TEST_CASE("a process whose mask changes leaves the others of its mask") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const Worker first;
    const Worker second;
    CHECK(first.does("s0") == "0 of 1");
    CHECK(second.does("s0") == "1 of 2");
    CHECK(first.does("s1") == "0 of 1");
    CHECK(second.does("c") == "changed");
    CHECK(second.does("s0") == "0 of 1");
  });
}

TEST_CASE("the last process removes the file and killed processes leave it to the next tree") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    options::g_settings.publishes = false;  // otherwise publishing removes files
    const std::string publish = options::settings().publish;
    Worker first;
    Worker second;
    CHECK(first.does("s") == "0 of 1");
    CHECK(second.does("s") == "1 of 2");
    ends_itself(first, "x");
    CHECK(files_in(publish).size() == 1);
    CHECK(second.does("s") == "0 of 1");
    ends_itself(second, "_");
    CHECK(files_in(publish).size() == 1);
    Worker other_tree;
    other_tree.does("r77.88");
    CHECK(other_tree.does("s") == "0 of 1");
    CHECK(files_in(publish).size() == 1);
    ends_itself(other_tree, "x");
    CHECK(files_in(publish).empty());
  });
}

TEST_CASE("a member finds the others again after somebody removed the file") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const Worker first;
    const Worker second;
    CHECK(first.does("s") == "0 of 1");
    CHECK(first.does("i") == "counted");
    std::filesystem::remove(files_in(options::settings().publish).at(0));
    CHECK(second.does("s") == "0 of 1");
    CHECK(first.does("s") == "1 of 2");
    CHECK(first.does("o") == "out");
    CHECK(first.does("i") == "counted");
  });
}

TEST_CASE("the outermost run and the rank say which tree it is") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const std::string here = std::to_string(find_tree().key);
    const Worker same;
    CHECK(same.does("k") == here);
    same.does("r12.34;another text");
    CHECK(same.does("k") == here);
    same.does("r12.345");
    CHECK(same.does("k") != here);
    const Worker first;
    const Worker second;
    first.does("l0");
    second.does("l1");
    CHECK(first.does("k") != here);
    CHECK(first.does("k") != second.does("k"));
    second.does("l0");
    CHECK(first.does("k") == second.does("k"));
  });
}

TEST_CASE("without a run the topmost ancestor with a specification says which tree it is") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "auto"}}, [] {
    options::read();
    const std::string here = std::to_string(find_tree().key);
    const Worker child;
    CHECK(child.does("k") == here);
  });
  fresh::process({{"NESTBIND_RULES", "/dev/null"}}, [] {
    options::read();
    const std::string here = std::to_string(find_tree().key);
    const Worker child;
    CHECK(child.does("k") == here);
  });
  fresh::process({}, [] {
    options::read();
    const std::string here = std::to_string(find_tree().key);
    const Worker child;
    CHECK(child.does("k") != here);
  });
}

TEST_CASE("dry runs meet but not with real runs") {
  const Folder folder;
  fresh::Variables dry = in(folder);
  dry.emplace_back("NESTBIND_MACHINE", "pack:2 core:8 pu:1");
  fresh::process(dry, [] {
    options::read();
    const Worker first;
    const Worker second;
    CHECK(first.does("k") == second.does("k"));
    options::g_settings.machine = nullptr;
    const Worker real;
    CHECK(first.does("k") != real.does("k"));
  });
}

TEST_CASE("where the file cannot be made the processes share") {
  fresh::process({{"NESTBIND_PUBLISH", "/proc/self"}}, [] {
    options::read();
    errno = ELOOP;
    CHECK(text_of(share_with(0)) == "0 of 1 fault");
    CHECK(errno == ELOOP);
    CHECK_FALSE(tree_has_changed());
    CHECK_FALSE(tree_inside());
    tree_outside(0);
    leave_tree();
  });
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const rlimit small{4096, 4096};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    CHECK(text_of(share_with(0)) == "0 of 1 fault");
    CHECK(files_in(options::settings().publish).empty());
  });
}

TEST_CASE("where the file system is full the processes share") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const char* const publish = options::settings().publish;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, "") != 0 ||
        mount("tmpfs", publish, "tmpfs", 0, "size=8k") != 0) {
      WARN("skipped: only root may mount a small file system");
      return;
    }
    CHECK(text_of(share_with(0)) == "0 of 1 fault");
    CHECK(files_in(publish).empty());
    CHECK_FALSE(tree_has_changed());
    umount(publish);
  });
}

TEST_CASE("files of others and links are not used") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const std::string publish = options::settings().publish;
    const std::string name = file_name(publish);
    close(open(name.c_str(), O_CREAT | O_RDWR, 0600));
    chmod(name.c_str(), 0666);
    CHECK(text_of(share_with(0)) == "0 of 1 fault");
    std::filesystem::remove(name);
    std::filesystem::create_symlink(publish + "/elsewhere", name);
    CHECK(text_of(share_with(0)) == "0 of 1 fault");
    CHECK(files_in(publish).size() == 1);
    std::filesystem::remove(name);
    CHECK(text_of(share_with(0)) == "0 of 1");
  });
}

TEST_CASE("a truncated or damaged file counts as empty") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const std::string name = file_name(options::settings().publish);
    for (const std::string& text :
         {std::string(), std::string("nestbind"), std::string(100, '\xff'),
          std::string(sizeof(TreeSheet), '\xa5'), std::string(100000, '\x01')}) {
      std::ofstream(name) << text;
      chmod(name.c_str(), 0600);
      Worker first;
      Worker second;
      CHECK(first.does("s") == "0 of 1");
      CHECK(second.does("s") == "1 of 2");
      ends_itself(second, "x");
      ends_itself(first, "x");
      CHECK_FALSE(std::filesystem::exists(name));
    }
  });
}

TEST_CASE("nobody waits long for a stopped process that has the lock") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    Worker member;
    CHECK(member.does("s") == "0 of 1");
    const int file = open(files_in(options::settings().publish).at(0).c_str(), O_RDWR);
    REQUIRE(flock(file, LOCK_EX) == 0);
    const Worker other;
    CHECK(milliseconds_of([&] { CHECK(other.does("s") == "0 of 1"); }) < 1000);
    CHECK(other.does("i") == "not counted");
    CHECK(milliseconds_of([&] { CHECK(other.does("s") == "0 of 1 fault"); }) < 1000);
    CHECK(member.does("s") == "0 of 1");
    CHECK(member.does("i") == "counted");
    usleep(1100000);
    CHECK(other.does("c") == "changed");
    CHECK(milliseconds_of([&] { ends_itself(member, "x"); }) < 1000);
    flock(file, LOCK_UN);
    CHECK(other.does("s") == "0 of 1");
    CHECK(other.does("i") == "counted");
    close(file);
  });
}

TEST_CASE("200 processes have 200 numbers") {
  const Folder folder;
  fresh::process(in(folder), [] {
    options::read();
    const std::vector<Worker> workers(200);
    for (const Worker& worker : workers) {
      worker.begin("s");
    }
    for (const Worker& worker : workers) {
      worker.answer();
    }
    for (const Worker& worker : workers) {
      worker.does("s");  // on a busy machine, not all have got the lock the first time
    }
    std::vector<int> numbers;
    for (const Worker& worker : workers) {
      const std::string share = worker.does("s");
      CHECK(share.substr(share.find(' ')) == " of 200");
      numbers.push_back(std::stoi(share));
    }
    std::sort(numbers.begin(), numbers.end());
    CHECK(std::unique(numbers.begin(), numbers.end()) == numbers.end());
    CHECK(numbers.back() == 199);
  });
}
