// SPDX-License-Identifier: BSD-3-Clause
// Tests the input of nestbind top: /proc, and published files, some with false contents.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "cli/top/process_files.hpp"
#include "cli/top/published.hpp"
#include "mask/cpu_mask.hpp"
#include "observe/publish/format.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind;
using namespace nestbind::cli::top;
using publish::Word;

namespace {

Words empty_file(unsigned records) {
  Words words(publish::record_at(records));
  words[publish::kMagicAt] = publish::kMagic;
  words[publish::kVersionAt] = publish::kVersion;
  words[publish::kStart] = 100;
  words[publish::kImage] = 7;
  words[publish::kRecords] = records;
  memcpy(&words[publish::kText], "2,scatter", sizeof "2,scatter");
  return words;
}

void put_record(Words& words, unsigned number) {
  Word* record = &words[publish::record_at(number)];
  record[publish::kChanges] = 4;
  record[publish::kThread] = publish::thread_word(12, publish::kIsBound | publish::kIsPinned, 2);
  record[publish::kSince] = 5000;
  record[publish::kSlot] = Word{1} << 32 | 9;
  record[publish::kPath] = Word{3} << 32 | 1;
  record[publish::kMask] = 5;
  record[publish::kMask + 1] = 1;
}

std::string bytes_of(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word)};
}

std::uint64_t own_space() {
  struct stat status{};
  stat("/proc/self/ns/pid", &status);
  return status.st_ino;
}

std::string file_name(std::uint64_t user, int process, std::uint64_t start) {
  char text[publish::kMostName];
  publish::print({user, own_space(), static_cast<std::uint64_t>(process), start}, text);
  return text;
}

Stat own_stat() { return read_process(getpid()).value(); }

}  // namespace

TEST_CASE("a line of /proc/PID/stat is read") {
  const std::string line =
      "4711 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 110 120 13 14 20 0 8 0 4712 100 200 300 1000 2000 "
      "3000 0 0 0 0 0 0 0 0 0 17 5 0 0 0 0 0 0 0 4000 0 0 0 0 0";
  const auto stat = parse_stat(line);
  REQUIRE(stat);
  CHECK(stat->name == "a) b (c");
  CHECK(stat->state == 'R');
  CHECK(stat->ticks == 230);
  CHECK(stat->start == 4712);
  CHECK(stat->threads == 8);
  CHECK(stat->processor == 5);
  CHECK(stat->image != 0);
  for (const char* other : {"", "4711", "4711 (a", "4711 (a)", "4711 a) (R 1 2", ") ( R"}) {
    CHECK_FALSE(parse_stat(other));
  }
}

TEST_CASE("pages of numa_maps are summed by node") {
  const Pages pages = parse_pages(
      "55d0 default file=/bin/N0=9 mapped=3 N0=3 kernelpagesize_kB=4\n"
      "7f00 bind:1 anon=4 dirty=4 N0=1 N1=3 kernelpagesize_kB=2048\n"
      "7ff0 default anon=1 N1=x N=4 Nx=5 N1=1");
  CHECK(pages == Pages{{0, 12 + 2048}, {1, 3 * 2048 + 4}});
  CHECK(parse_pages("").empty());
}

TEST_CASE("the process can read its own name, threads and state") {
  CHECK(own_stat().threads >= 1);
  const auto threads = read_threads(getpid());
  REQUIRE_FALSE(threads.empty());
  CHECK(threads[0].thread == getpid());
  CHECK_FALSE(threads[0].cpus.empty());
  CHECK(owner_of(getpid()) == geteuid());
  CHECK(read_command(getpid()).find("unit_cli") != std::string::npos);
  const pid_t gone = fork();
  if (gone == 0) {
    _exit(0);
  }
  waitpid(gone, nullptr, WNOWAIT | WEXITED);
  waitpid(gone, nullptr, 0);
  CHECK_FALSE(read_process(gone));
  CHECK(read_threads(gone).empty());
  CHECK_FALSE(owner_of(gone));
}

TEST_CASE("a published file is read") {
  Words words = empty_file(3);
  put_record(words, 1);
  words[publish::kNotShown] = 2;
  const auto published = parse_published(words, words);
  REQUIRE(published);
  CHECK(published->spec == "2,scatter");
  CHECK(published->not_shown == 2);
  REQUIRE(published->places.size() == 1);
  const Placed& placed = published->places[0];
  CHECK(placed.thread == 12);
  CHECK(placed.path == std::vector<int>{1, 3});
  CHECK(placed.cpus == std::vector<int>{64, 66, 128});
  CHECK(placed.slot == 9);
  CHECK((placed.is_bound && placed.is_pinned && !placed.is_cut));
  CHECK(placed.since == 5000);
  CHECK(placed.root == -1);
  words[publish::record_at(1) + publish::kThread] |= publish::Word{3 * publish::kRoot} << 32;
  CHECK(parse_published(words, words)->places[0].root == 2);
}

TEST_CASE("a record that changes between two copies is left out") {
  Words first = empty_file(1);
  put_record(first, 0);
  Words second = first;
  second[publish::record_at(0) + publish::kMask] = 4;
  CHECK(parse_published(first, second)->places.empty());
  second = first;
  second[publish::record_at(0) + publish::kChanges] = 6;
  CHECK(parse_published(first, second)->places.empty());
  first[publish::record_at(0) + publish::kChanges] = 5;
  CHECK(parse_published(first, first)->places.empty());
  first[publish::kTextChanges] = 1;
  CHECK(parse_published(first, first)->spec == "?");
}

TEST_CASE("files that are not published files are rejected") {
  Words words = empty_file(2);
  put_record(words, 0);
  CHECK_FALSE(parse_published({}, {}));
  for (const unsigned at : {publish::kMagicAt, publish::kVersionAt}) {
    Words other = words;
    other[at] += 1;
    CHECK_FALSE(parse_published(other, other));
  }
  Words cut = words;
  cut.pop_back();
  CHECK_FALSE(parse_published(words, cut));
  CHECK_FALSE(parse_published(cut, words));
  Words many = words;
  many[publish::kRecords] = ~Word{0};
  CHECK_FALSE(parse_published(many, many));
  for (std::size_t i = publish::kText; i < words.size(); ++i) {
    Words other = words;
    other[i] = ~Word{0};
    const auto published = parse_published(other, other);
    REQUIRE(published);
    for (const Placed& placed : published->places) {
      CHECK(placed.thread > 0);
      CHECK_FALSE(placed.cpus.empty());
      CHECK(placed.cpus.back() < mask::kMaxCpus);
      CHECK(placed.path.size() <= publish::kMostPath);
    }
  }
  for (unsigned i = 0; i < publish::kTextWords; ++i) {
    words[publish::kText + i] = 0x6161616161616161;
  }
  CHECK(parse_published(words, words)->spec.size() == publish::kTextWords * sizeof(Word));
}

TEST_CASE("torn records are never shown") {
  const Folder folder;
  const std::string name = folder.path() + "/file";
  std::ofstream(name) << bytes_of(empty_file(1));
  // A thread writes the file.
  const int file = open(name.c_str(), O_RDWR);
  REQUIRE(file >= 0);
  const std::size_t size = publish::bytes_of(1);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  REQUIRE(memory != MAP_FAILED);
  auto* record = static_cast<publish::SharedWord*>(memory) + publish::record_at(0);
  std::atomic<bool> is_over{false};
  std::thread writer([&] {
    for (unsigned i = 1; !is_over.load(); i = i % 1000 + 1) {
      publish::begin_change(record[publish::kChanges]);
      record[publish::kThread].store(publish::thread_word(i, 0, 1), std::memory_order_relaxed);
      record[publish::kSince].store(i, std::memory_order_relaxed);
      record[publish::kPath].store(i, std::memory_order_relaxed);
      for (unsigned word = 0; word < publish::kMaskWords; ++word) {
        record[publish::kMask + word].store(i, std::memory_order_relaxed);
      }
      publish::end_change(record[publish::kChanges]);
    }
  });
  const auto copy = [&] {
    Words words(size / sizeof(Word));
    REQUIRE(pread(file, words.data(), size, 0) == static_cast<ssize_t>(size));
    return words;
  };
  int seen = 0;
  int wrong = 0;
  for (int i = 0; i < 20000 && seen < 200; ++i) {
    const Words first = copy();
    const auto published = parse_published(first, copy());
    for (const Placed& placed : published->places) {
      ++seen;
      const Word* words = &first[publish::record_at(0)];
      bool is_whole = placed.path == std::vector<int>{placed.thread} &&
                      placed.since == static_cast<std::uint64_t>(placed.thread);
      for (unsigned word = 0; word < publish::kMaskWords; ++word) {
        is_whole = is_whole && words[publish::kMask + word] == placed.since;
      }
      wrong += is_whole ? 0 : 1;
    }
  }
  is_over = true;
  writer.join();
  // The writer has ended, so this copy is complete.
  const Words last = copy();
  CHECK(parse_published(last, last)->places.size() == 1);
  CHECK(wrong == 0);
  munmap(memory, size);
  close(file);
}

TEST_CASE("files of ended processes are removed, and other files stay") {
  const Folder folder;
  const pid_t gone = fork();
  if (gone == 0) {
    _exit(0);
  }
  waitpid(gone, nullptr, 0);
  const Stat self = own_stat();
  Words words = empty_file(1);
  put_record(words, 0);
  words[publish::kStart] = self.start;
  words[publish::kImage] = self.image;
  const auto own = [&] {
    return folder.file(file_name(geteuid(), getpid(), self.start), bytes_of(words), 0600);
  };
  const std::string of_gone = folder.file(file_name(geteuid(), gone, 5), "", 0600);
  const std::string of_former =
      folder.file(file_name(geteuid(), getpid(), self.start + 1), bytes_of(words), 0600);
  const std::string of_others = folder.file(file_name(geteuid() + 1, gone, 5), "", 0600);
  const std::string foreign = folder.file("else", "", 0600);
  const std::string mine = own();
  PublishedFiles files(folder.path());
  files.look();
  namespace fs = std::filesystem;
  CHECK_FALSE(fs::exists(of_gone));
  CHECK_FALSE(fs::exists(of_former));
  CHECK(fs::exists(of_others));
  CHECK(fs::exists(foreign));
  CHECK(files.processes() == std::vector<int>{getpid()});
  CHECK(files.read(getpid(), self)->places.size() == 1);
  fs::resize_file(mine, 100);
  CHECK_FALSE(files.read(getpid(), self));
  fs::resize_file(mine, 0);
  CHECK_FALSE(files.read(getpid(), self));
  own();
  chmod(mine.c_str(), 0666);
  CHECK_FALSE(files.read(getpid(), self));
  fs::remove(mine);
  fs::create_symlink("/etc/passwd", mine);
  CHECK_FALSE(files.read(getpid(), self));
  fs::remove(mine);
  REQUIRE(mkfifo(mine.c_str(), 0600) == 0);
  CHECK_FALSE(files.read(getpid(), self));
  fs::remove(mine);
  fs::create_directory(mine);
  CHECK_FALSE(files.read(getpid(), self));
  fs::remove(mine);
  CHECK_FALSE(files.read(getpid(), self));
  // The process has executed another program since, so the file is removed.
  own();
  Stat executed = self;
  executed.image = self.image + 2;
  CHECK_FALSE(files.read(getpid(), executed));
  CHECK_FALSE(fs::exists(mine));
}

TEST_CASE("a missing folder has no files") {
  PublishedFiles files("/no/such/folder");
  files.look();
  CHECK(files.processes().empty());
}
