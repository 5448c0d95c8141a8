// SPDX-License-Identifier: BSD-3-Clause
#include "machine/cache/cache.hpp"

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>

#include "helpers.hpp"
#include "machine/cache/record.hpp"
#include "machine/hardware.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;
namespace fs = std::filesystem;

namespace {

// The hook of renameat calls this function before a writer renames its file.
void (*g_before_rename)() = nullptr;

}  // namespace

extern "C" int renameat(int old_folder, const char* old_name, int new_folder,
                        const char* new_name) noexcept {
  static auto* const next = reinterpret_cast<decltype(&::renameat)>(dlsym(RTLD_NEXT, "renameat"));
  if (g_before_rename != nullptr) {
    g_before_rename();
  }
  return next(old_folder, old_name, new_folder, new_name);
}

namespace {

class Place {
 public:
  fs::path path() const { return folder_.path(); }
  cache::Folder open() const { return cache::Folder::open(folder_.path().c_str()); }
  int files() const { return static_cast<int>(std::distance(fs::directory_iterator(path()), {})); }

 private:
  ::Folder folder_;
};

const cache::Key kCacheKey = {"nestbind-machine-test", "this boot, these processors"};

Hardware small() { return read_hardware("pack:2 core:2 pu:1"); }

void put(const fs::path& name, const std::string& bytes) {
  std::ofstream(name, std::ios::binary) << bytes;
  fs::permissions(name, fs::perms::owner_read | fs::perms::owner_write);
}

bool is_usable(const char* setting) { return cache::Folder::open(setting).is_usable(); }

template <typename Action>
bool in_child(Action action) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(action() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a sealed machine can be read only with its key") {
  const std::string bytes = cache::seal(small(), kCacheKey);
  CHECK(cache::unseal(bytes, kCacheKey) == small());
  CHECK(!cache::unseal(bytes, {kCacheKey.file, "another boot, these processors"}));
  CHECK(!cache::unseal(bytes, {kCacheKey.file, "this boot, these processor"}));
  CHECK(!cache::unseal(bytes, {kCacheKey.file, ""}));
}

TEST_CASE("a damaged file is rejected") {
  const std::string bytes = cache::seal(small(), kCacheKey);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    INFO("length " << length);
    REQUIRE(!cache::unseal(bytes.substr(0, length), kCacheKey));
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int other = 1; other < 256; ++other) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ other);
      INFO("byte " << at << " xor " << other);
      REQUIRE(!cache::unseal(damaged, kCacheKey));
    }
  }
  CHECK(!cache::unseal(bytes + '\0', kCacheKey));
  CHECK(!cache::unseal(std::string(4096, '\0'), kCacheKey));
}

TEST_CASE("one process reads what another process has written") {
  const Place place;
  const auto folder = place.open();
  REQUIRE(folder.is_usable());
  CHECK(!folder.read(kCacheKey));
  folder.write(small(), kCacheKey);
  CHECK(place.open().read(kCacheKey) == small());
  CHECK(!folder.read({kCacheKey.file, "another boot"}));
  CHECK(!folder.read({"another-file", kCacheKey.text}));
  CHECK(place.files() == 1);

  put(place.path() / kCacheKey.file, "damaged");
  CHECK(!folder.read(kCacheKey));
  folder.write(small(), kCacheKey);
  CHECK(folder.read(kCacheKey) == small());
  CHECK(place.files() == 1);

  struct stat status{};
  REQUIRE(stat((place.path() / kCacheKey.file).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("only a folder of the user's own is used for the cache") {
  const Place place;
  const fs::path inside = place.path() / "inside";
  CHECK(!is_usable("off"));
  CHECK(!is_usable("relative"));
  CHECK(!is_usable((place.path() / "missing" / "deeper").c_str()));

  REQUIRE(is_usable(inside.c_str()));  // the folder is created
  CHECK(fs::status(inside).permissions() == fs::perms::owner_all);
  fs::permissions(inside, fs::perms(0755));
  CHECK(is_usable(inside.c_str()));
  for (const unsigned mode : {0770U, 0707U, 01777U}) {
    fs::permissions(inside, fs::perms(mode));
    CHECK(!is_usable(inside.c_str()));
  }
  fs::permissions(inside, fs::perms(0700));
  fs::create_directory_symlink(inside, place.path() / "link");
  CHECK(!is_usable((place.path() / "link").c_str()));
  // The kernel follows the link if the path has one of these endings.
  for (const char* end : {"/", "/.", "//", "/./", "/.//./.", "/..", "/../", "/./../."}) {
    INFO(end);
    CHECK(!is_usable(((place.path() / "link").string() + end).c_str()));
  }
  for (const char* end : {"/", "/.", "//", "/./"}) {
    INFO(end);
    CHECK(is_usable((inside.string() + end).c_str()));
  }
  REQUIRE(is_usable((place.path() / "made/").c_str()));
  CHECK(fs::remove(place.path() / "made"));
  put(place.path() / "file", "");
  CHECK(!is_usable((place.path() / "file").c_str()));

  if (geteuid() != 0) {
    WARN("not root: folders and files of other users are not tested");
    return;
  }
  REQUIRE(chown(inside.c_str(), 12345, 12345) == 0);
  CHECK(!is_usable(inside.c_str()));
}

TEST_CASE("the user's runtime folder is used by default, if it exists") {
  const Place place;
  const char* known = getenv("XDG_RUNTIME_DIR");
  const std::string before = known == nullptr ? "" : known;
  unsetenv("XDG_RUNTIME_DIR");
  CHECK(!is_usable(nullptr));
  setenv("XDG_RUNTIME_DIR", "", 1);
  CHECK(!is_usable(nullptr));
  setenv("XDG_RUNTIME_DIR", place.path().c_str(), 1);
  CHECK(is_usable(nullptr));
  const fs::path missing = place.path() / "missing";
  setenv("XDG_RUNTIME_DIR", missing.c_str(), 1);
  CHECK(!is_usable(nullptr));
  CHECK(!fs::exists(missing));
  if (known == nullptr) {
    unsetenv("XDG_RUNTIME_DIR");
  } else {
    setenv("XDG_RUNTIME_DIR", before.c_str(), 1);
  }
}

TEST_CASE("only a plain file that nobody else can write is read") {
  const Place place;
  const auto folder = place.open();
  const fs::path file = place.path() / kCacheKey.file;
  const std::string good = cache::seal(small(), kCacheKey);
  put(file, good);
  REQUIRE(folder.read(kCacheKey));
  for (const unsigned mode : {0620U, 0602U, 0666U}) {
    fs::permissions(file, fs::perms(mode));
    CHECK(!folder.read(kCacheKey));
  }
  fs::permissions(file, fs::perms(0644));
  CHECK(folder.read(kCacheKey));

  fs::rename(file, place.path() / "elsewhere");
  fs::create_symlink(place.path() / "elsewhere", file);
  CHECK(!folder.read(kCacheKey));
  fs::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK(!folder.read(kCacheKey));
  fs::remove(file);
  fs::create_directory(file);
  CHECK(!folder.read(kCacheKey));
  folder.write(small(), kCacheKey);
  CHECK(fs::is_empty(file));
  CHECK(place.files() == 2);
  fs::remove(file);
  put(file, "");
  CHECK(!folder.read(kCacheKey));
  fs::resize_file(file, 64 << 20);
  CHECK(!folder.read(kCacheKey));

  if (geteuid() != 0) {
    WARN("not root: folders and files of other users are not tested");
    return;
  }
  put(file, good);
  REQUIRE(folder.read(kCacheKey));
  REQUIRE(chown(file.c_str(), 12345, 12345) == 0);
  CHECK(!folder.read(kCacheKey));
}

TEST_CASE("concurrent processes read a whole machine or none") {
  const Place place;
  std::vector<pid_t> children;
  for (int process = 0; process < 8; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      const auto folder = place.open();
      const Hardware hardware = small();
      bool good = true;
      for (int round = 0; round < 200; ++round) {
        folder.write(hardware, kCacheKey);
        good = good && folder.read(kCacheKey) == hardware;
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(place.files() == 1);
}

namespace {

std::string damaged_and_sealed(std::string bytes, std::mt19937& random) {
  constexpr std::size_t kHash = 16;  // after "nestbind" and the format
  constexpr std::size_t kBody = kHash + sizeof(std::uint64_t);
  const std::size_t record = kBody + sizeof(std::uint64_t) + kCacheKey.text.size();
  const std::size_t numbers = (bytes.size() - record) / 4;
  for (unsigned change = 0; change <= random() % 3; ++change) {
    const std::int32_t values[] = {-1, 0, 1, static_cast<std::int32_t>(random() % 40),
                                   static_cast<std::int32_t>(random())};
    std::memcpy(bytes.data() + record + 4 * (random() % numbers), &values[random() % 5], 4);
  }
  const std::uint64_t hash = cache::hash(std::string_view(bytes).substr(kBody));
  std::memcpy(bytes.data() + kHash, &hash, sizeof hash);
  return bytes;
}

}  // namespace

TEST_CASE("a damaged machine with a good hash is rejected or valid, and is replaced") {
  const Place place;
  const auto folder = place.open();
  const fs::path file = place.path() / kCacheKey.file;
  std::mt19937 random(1);
  int refused = 0;
  constexpr int kRounds = 3000;
  for (const char* name : {"nehalem-sun.xml", "numa16.xml"}) {
    const Hardware whole = read_hardware(test::file(name));
    const std::string good = cache::seal(whole, kCacheKey);
    for (int round = 0; round < kRounds; ++round) {
      put(file, damaged_and_sealed(good, random));
      const auto read = folder.read(kCacheKey);
      REQUIRE((!read || broken_invariant(*read) == nullptr));
      if (!read) {
        ++refused;
        folder.write(whole, kCacheKey);
        REQUIRE(folder.read(kCacheKey) == whole);
      }
    }
  }
  CHECK(refused > kRounds);
}

TEST_CASE("the next writer removes the file of a killed writer") {
  const Place place;
  REQUIRE(!in_child([&] {
    g_before_rename = [] { raise(SIGKILL); };
    place.open().write(small(), kCacheKey);
    return true;
  }));
  REQUIRE(place.files() == 1);
  REQUIRE(!fs::exists(place.path() / kCacheKey.file));
  const auto folder = place.open();
  CHECK(!folder.read(kCacheKey));
  folder.write(small(), kCacheKey);
  CHECK(folder.read(kCacheKey) == small());
  CHECK(place.files() == 1);
}

TEST_CASE("files of other users and of running writers stay") {
  const Place place;
  int begun[2];
  int may_end[2];
  REQUIRE(pipe(begun) == 0);
  REQUIRE(pipe(may_end) == 0);
  const pid_t writer = fork();
  if (writer == 0) {
    static int* const s_begun = begun;
    static int* const s_may_end = may_end;
    g_before_rename = [] {
      char byte = 0;
      if (::write(s_begun[1], &byte, 1) != 1 || ::read(s_may_end[0], &byte, 1) != 1) {
        _exit(1);
      }
    };
    place.open().write(small(), {"nestbind-machine-other", kCacheKey.text});
    _exit(0);
  }
  char byte = 0;
  REQUIRE(::read(begun[0], &byte, 1) == 1);
  const char* const others[] = {"mine.1.2.3", "nestbind-machine-a.1.2", "nestbind-machine-a.1.2.x",
                                "nestbind-machine-a.1..3", "nestbind-machine-a"};
  for (const char* name : others) {
    put(place.path() / name, "");
  }
  fs::create_symlink("mine.1.2.3", place.path() / "nestbind-machine-a.1.2.3");
  fs::create_directory(place.path() / "nestbind-machine-b.1.2.3");
  put(place.path() / "nestbind-machine-c.1.2.3", "");
  place.open().write(small(), kCacheKey);
  CHECK(place.files() == 9);  // 5 other files, a link, a folder, an old and a new file
  CHECK(!fs::exists(place.path() / "nestbind-machine-c.1.2.3"));
  REQUIRE(::write(may_end[1], &byte, 1) == 1);
  int status = -1;
  REQUIRE(waitpid(writer, &status, 0) == writer);
  CHECK(status == 0);
  CHECK(place.open().read({"nestbind-machine-other", kCacheKey.text}) == small());
  CHECK(place.files() == 9);
  for (const int end : {begun[0], begun[1], may_end[0], may_end[1]}) {
    close(end);
  }
}

TEST_CASE("a process whose file size limit is exceeded goes on") {
  const Place place;
  CHECK(in_child([&] {
    const rlimit limit{10, 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto folder = place.open();
    folder.write(small(), kCacheKey);
    errno = ENOTTY;  // simulates the errno of an earlier call that failed
    return !folder.read(kCacheKey) && !folder.write_bytes("more than ten", kCacheKey) &&
           errno == EFBIG;
  }));
  CHECK(place.files() == 0);
}

TEST_CASE("the key depends on this node, this boot and the writer") {
  const auto key = cache::key_of_this_process("one");
  REQUIRE(key);
  CHECK(cache::key_of_this_process("one")->text == key->text);
  CHECK(cache::key_of_this_process("other")->text != key->text);
  CHECK(cache::key_of_this_process("other")->file == key->file);
  for (const char* file : {"/proc/sys/kernel/random/boot_id", "/sys/devices/system/cpu/online"}) {
    std::ifstream in(file);
    std::string line;
    REQUIRE(std::getline(in, line));
    CHECK(key->text.find(line + "\n") != std::string::npos);
  }
  CHECK(in_child([] {
    setenv("HWLOC_XMLFILE", "other.xml", 1);
    return !cache::key_of_this_process("one");
  }));
}
