// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/cache_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <utility>

using namespace nestbind::slurm;
namespace fs = std::filesystem;

namespace {

class Parent {
 public:
  Parent() { REQUIRE(mkdtemp(name_) != nullptr); }
  ~Parent() { fs::remove_all(name_); }
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;
  std::string child() const { return cache_name(name_, 1000, 7); }

 private:
  char name_[32] = "/tmp/nestbind-slurm-XXXXXX";
};

void write(const std::string& file) { std::ofstream(file) << "something"; }

bool is_there(const std::string& name) {
  return fs::symlink_status(name).type() != fs::file_type::not_found;
}

}  // namespace

TEST_CASE("each job has its own folder name on a node") {
  CHECK(cache_name("/dev/shm", 1000, 4711) == "/dev/shm/nestbind-cache-1000-slurm-4711");
}

TEST_CASE("a folder is made for the user only, and removed with its files") {
  const Parent parent;
  CacheFolder folder = CacheFolder::hold(parent.child());
  REQUIRE(folder.is_held());
  CHECK(folder.name() == parent.child());
  struct stat status{};
  REQUIRE(stat(parent.child().c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  write(parent.child() + "/one");
  write(parent.child() + "/.two");
  folder.leave();
  CHECK_FALSE(folder.is_held());
  CHECK_FALSE(is_there(parent.child()));
  folder.leave();  // the second call has no effect
}

TEST_CASE("the last process that leaves removes the folder") {
  const Parent parent;
  CacheFolder one = CacheFolder::hold(parent.child());
  CacheFolder other = CacheFolder::hold(parent.child());
  REQUIRE(one.is_held());
  REQUIRE(other.is_held());
  write(parent.child() + "/file");
  one.leave();
  CHECK(is_there(parent.child() + "/file"));
  other.leave();
  CHECK_FALSE(is_there(parent.child()));
}

TEST_CASE("the folder of a killed step is used again, and removed") {
  const Parent parent;
  {
    const CacheFolder killed = CacheFolder::hold(parent.child());
  }
  REQUIRE(is_there(parent.child()));
  write(parent.child() + "/file");
  CacheFolder next = CacheFolder::hold(parent.child());
  REQUIRE(next.is_held());
  CHECK(is_there(parent.child() + "/file"));
  next.leave();
  CHECK_FALSE(is_there(parent.child()));
}

TEST_CASE("folders of killed steps of other jobs are removed, used folders stay") {
  const Parent parent;
  const fs::path all = fs::path(parent.child()).parent_path();
  const std::string held = cache_name(all, 1000, 8);
  const std::string another_users = cache_name(all, 10001, 9);
  {
    const CacheFolder killed = CacheFolder::hold(parent.child());
  }
  {
    const CacheFolder other = CacheFolder::hold(another_users);
  }
  write(parent.child() + "/file");
  REQUIRE(symlink(another_users.c_str(), cache_name(all, 1000, 10).c_str()) == 0);
  CacheFolder folder = CacheFolder::hold(held);
  remove_left_folders(all, 1000);
  CHECK_FALSE(is_there(parent.child()));
  CHECK(is_there(held));
  CHECK(is_there(another_users));
  CHECK(is_there(cache_name(all, 1000, 10)));
  folder.leave();
  remove_left_folders("/nestbind-there-is-no-such-folder", 1000);
}

TEST_CASE("a folder that others can use, a link or a file is refused") {
  const Parent parent;
  SECTION("a folder that all users can write to") {
    REQUIRE(mkdir(parent.child().c_str(), 0700) == 0);
    REQUIRE(chmod(parent.child().c_str(), 0770) == 0);
  }
  SECTION("a link to a folder") {
    const std::string elsewhere = parent.child() + "-elsewhere";
    REQUIRE(mkdir(elsewhere.c_str(), 0700) == 0);
    REQUIRE(symlink(elsewhere.c_str(), parent.child().c_str()) == 0);
  }
  SECTION("a plain file") { write(parent.child()); }
  CacheFolder folder = CacheFolder::hold(parent.child());
  CHECK_FALSE(folder.is_held());
  folder.leave();
  CHECK(is_there(parent.child()));
}

TEST_CASE("without a parent folder there is no folder") {
  CHECK_FALSE(CacheFolder::hold("/nestbind-there-is-no-such-folder/child").is_held());
}

TEST_CASE("a folder that was removed meanwhile is made again") {
  const Parent parent;
  CacheFolder one = CacheFolder::hold(parent.child());
  fs::remove_all(parent.child());
  CacheFolder other = CacheFolder::hold(parent.child());
  REQUIRE(other.is_held());
  CHECK(is_there(parent.child()));
  other.leave();
  CHECK_FALSE(is_there(parent.child()));
  one.leave();
}

TEST_CASE("links in the folder are removed, but not their targets") {
  const Parent parent;
  const std::string outside = parent.child() + "-outside";
  write(outside);
  CacheFolder folder = CacheFolder::hold(parent.child());
  REQUIRE(symlink(outside.c_str(), (parent.child() + "/link").c_str()) == 0);
  folder.leave();
  CHECK_FALSE(is_there(parent.child()));
  CHECK(is_there(outside));
}

TEST_CASE("a folder can be passed on") {
  const Parent parent;
  CacheFolder folder;
  CHECK_FALSE(folder.is_held());
  folder = CacheFolder::hold(parent.child());
  CacheFolder other = std::move(folder);
  CHECK(other.is_held());
  other.leave();
  CHECK_FALSE(is_there(parent.child()));
}
