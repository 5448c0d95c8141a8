// SPDX-License-Identifier: BSD-3-Clause
// Tests the contents and the lifetime of the file of NESTBIND_PUBLISH.
#include "observe/publish/publish.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "helpers/folder.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "observe/publish/format.hpp"
#include "placement/questions.hpp"
#include "process/original_mask.hpp"
#include "support/stat_line.hpp"

using namespace nestbind;
using publish::Word;

namespace {

namespace fs = std::filesystem;

std::string name_of(const fs::path& folder) {
  std::string name;
  for (const auto& entry : fs::directory_iterator(folder)) {
    publish::Name parsed;
    if (publish::parse(entry.path().filename().c_str(), parsed)) {
      REQUIRE(name.empty());
      name = entry.path();
    }
  }
  return name;
}

std::vector<Word> words_of(const std::string& file) {
  const std::string bytes = content(file);
  std::vector<Word> words(bytes.size() / sizeof(Word));
  memcpy(words.data(), bytes.data(), words.size() * sizeof(Word));
  return words;
}

struct Told {
  int thread;
  unsigned flags;
  std::vector<int> path;
  std::vector<int> cpus;
  bool operator==(const Told&) const = default;
};

std::vector<Told> told_in(const std::vector<Word>& words) {
  std::vector<Told> all;
  for (unsigned i = 0; i < words[publish::kRecords]; ++i) {
    const Word* record = &words[publish::record_at(i)];
    const Word thread = record[publish::kThread];
    if (publish::level_of(thread) == 0) {
      continue;
    }
    CHECK(record[publish::kChanges] % 2 == 0);
    Told told{static_cast<int>(publish::thread_of(thread)), publish::flags_of(thread), {}, {}};
    for (unsigned level = 0; level < publish::level_of(thread); ++level) {
      told.path.push_back(
          static_cast<int>(record[publish::kPath + level / 2] >> (level % 2 * 32) & UINT32_MAX));
    }
    for (unsigned cpu = 0; cpu < 64 * publish::kMaskWords; ++cpu) {
      if ((record[publish::kMask + cpu / 64] >> (cpu % 64) & 1) != 0) {
        told.cpus.push_back(static_cast<int>(cpu + 64 * (record[publish::kSlot] >> 32)));
      }
    }
    all.push_back(std::move(told));
  }
  return all;
}

std::vector<int> own_cpus() {
  mask::MaskBuffer buffer{};
  std::vector<int> cpus;
  sched_getaffinity(0, sizeof buffer, reinterpret_cast<cpu_set_t*>(buffer.bits));
  mask::each(buffer.view(), [&](int cpu) { cpus.push_back(cpu); });
  return cpus;
}

fresh::Variables with(const Folder& folder, const std::string& spec = "2,compact") {
  return {{"OMP_NESTING_TEAM_SIZE", spec},
          {"NESTBIND_PUBLISH", folder.path()},
          {"NESTBIND_QUIET", "1"}};
}

constexpr unsigned kBoundAndPinned = publish::kIsBound | publish::kIsPinned;

std::string folder_of_variables() {
  const char* set = getenv("NESTBIND_PUBLISH");
  return set == nullptr ? "" : set;
}

}  // namespace

TEST_CASE("only well-formed names are read") {
  using publish::Name;
  char text[publish::kMostName];
  const Name name{.user = 1000, .space = 4026531836, .process = 7, .start = 0};
  publish::print(name, text);
  CHECK(text == std::string("nestbind-1000-4026531836-7-0"));
  Name read;
  CHECK(publish::parse(text, read));
  CHECK(read == name);
  for (const char* other :
       {"", "nestbind-", "nestbind-1-2-3", "nestbind-1-2-3-", "nestbind-1-2-3-4-5",
        "nestbind-1-2-3-4x", "nestbind-1-2--4", "nestbind-01-2-3-4", "nestbind-1-2-3--4",
        "nestbind-1-2-3-99999999999999999999", "nestbinds-1-2-3-4", "nestbind-1-2-3- 4"}) {
    INFO(other);
    CHECK_FALSE(publish::parse(other, read));
  }
}

TEST_CASE("fields of /proc/PID/stat are found after any program name") {
  const char* line = "17 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 110 120 13 14 15 16 8 18 4711";
  CHECK(*support::stat_field(line, support::kState) == 'R');
  CHECK(support::stat_number(line, support::kUserTicks) == 110);
  CHECK(support::stat_number(line, support::kSystemTicks) == 120);
  CHECK(support::stat_number(line, support::kThreads) == 8);
  CHECK(support::stat_number(line, support::kStartTicks) == 4711);
  CHECK(support::stat_field(line, support::kProcessor) == nullptr);
  CHECK(support::stat_number(line, support::kProcessor) == 0);
  CHECK(support::stat_field("no line", support::kState) == nullptr);
  CHECK(support::image_of(line) == 0);
}

TEST_CASE("two copies match if they are equal and no change is under way") {
  const Word first[] = {2, 7, 8};
  const Word same[] = {2, 7, 8};
  const Word later[] = {4, 7, 8};
  const Word torn[] = {2, 7, 9};
  const Word odd[] = {3, 7, 8};
  CHECK(publish::is_settled(first, same, 3));
  CHECK_FALSE(publish::is_settled(first, later, 3));
  CHECK_FALSE(publish::is_settled(first, torn, 3));
  CHECK_FALSE(publish::is_settled(odd, odd, 3));
}

TEST_CASE("a file has the process and each placed thread") {
  const Folder folder;
  fresh::process(with(folder, "1,scatter,2,compact"), [] {
    const auto here = folder_of_variables();
    CHECK(name_of(here).empty());  // no thread is placed yet
    const auto cpus = own_cpus();  // the mask before binding
    int inner = 0;
    fake::parallel({}, [&](int) {
      fake::parallel({}, [&](int number) {
        if (number == 1) {
          inner = gettid();
        }
      });
    });
    const std::string file = name_of(here);
    REQUIRE_FALSE(file.empty());
    CHECK((fs::status(file).permissions() & fs::perms::mask) ==
          (fs::perms::owner_read | fs::perms::owner_write));
    const auto words = words_of(file);
    REQUIRE(words.size() > publish::kHeaderWords);
    CHECK(words[publish::kMagicAt] == publish::kMagic);
    CHECK(words[publish::kProcess] == static_cast<Word>(getpid()));
    const std::string line = content("/proc/self/stat");
    CHECK(words[publish::kStart] == support::stat_number(line.c_str(), support::kStartTicks));
    CHECK(words[publish::kImage] == support::image_of(line.c_str()));
    CHECK(words.size() == publish::record_at(static_cast<unsigned>(words[publish::kRecords])));
    CHECK(reinterpret_cast<const char*>(&words[publish::kText]) ==
          std::string("1,scatter,2,compact"));
    const auto told = told_in(words);
    REQUIRE(told.size() == 2);
    const auto is_primary = [](const Told& one) { return one.thread == gettid(); };
    const Told& primary = is_primary(told[0]) ? told[0] : told[1];
    const Told& worker = is_primary(told[0]) ? told[1] : told[0];
    CHECK(primary == Told{gettid(), kBoundAndPinned, {0}, {cpus[0]}});  // 0 and 0.0 are one place
    CHECK(worker == Told{inner, kBoundAndPinned, {0, 1}, {cpus[cpus.size() > 1 ? 1 : 0]}});
  });
}

TEST_CASE("a repeated fork writes nothing to the file") {
  const Folder folder;
  fresh::process(with(folder, "1,scatter,2,compact"), [] {
    const fake::How kept{.members = fake::Members::kKept};
    const auto forks = [&](int count) {
      for (int i = 0; i < count; ++i) {
        fake::parallel(kept, [&](int) { fake::parallel(kept, [](int) {}); });
      }
    };
    forks(3);
    const std::string file = name_of(folder_of_variables());
    REQUIRE_FALSE(file.empty());
    const auto before = words_of(file);
    // A store into a read-only mapping ends the process.
    std::ifstream maps("/proc/self/maps");
    int found = 0;
    for (std::string line; std::getline(maps, line);) {
      unsigned long begin = 0;
      unsigned long end = 0;
      if (line.find(file) != std::string::npos &&
          sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2) {
        REQUIRE(mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ) == 0);
        ++found;
      }
    }
    CHECK(found == 1);
    CHECK(told_in(before).size() == 2);
    forks(1000);
    CHECK(words_of(file) == before);
  });
}

TEST_CASE("no file is made without a specification or if turned off or in a dry run") {
  const Folder folder;
  const std::string off = folder.path();
  fresh::process({{"NESTBIND_PUBLISH", off}}, [] {
    fake::rows(1);
    CHECK(name_of(folder_of_variables()).empty());
  });
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,compact"}, {"NESTBIND_PUBLISH", "off"}}, [] {
    fake::rows(1);
    CHECK(content("/proc/self/maps").find("nestbind-" + std::to_string(geteuid()) + "-") ==
          std::string::npos);
  });
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,compact"},
                  {"NESTBIND_PUBLISH", off},
                  {"NESTBIND_MACHINE", "pu:4"}},
                 [] {
                   fake::rows(1);
                   CHECK(name_of(folder_of_variables()).empty());
                 });
}

TEST_CASE("the file is removed at the exit") {
  const Folder folder;
  fresh::process(with(folder), [] {
    fake::rows(1);
    CHECK_FALSE(name_of(folder_of_variables()).empty());
    const pid_t child = fork();
    if (child == 0) {
      exit(0);  // the parent's file stays
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_FALSE(name_of(folder_of_variables()).empty());
    publish::remove_file();
    CHECK(name_of(folder_of_variables()).empty());
  });
}

TEST_CASE("a forked child has its own file") {
  const Folder folder;
  fresh::process(with(folder), [] {
    fake::rows(1);
    const std::string own = name_of(folder_of_variables());
    const auto before = words_of(own);
    const pid_t child = fork();
    if (child == 0) {
      fake::rows(1);
      int files = 0;
      for (const auto& entry : fs::directory_iterator(folder_of_variables())) {
        publish::Name name;
        if (publish::parse(entry.path().filename().c_str(), name) &&
            name.process == static_cast<std::uint64_t>(getpid())) {
          const auto words = words_of(entry.path());
          files += told_in(words).size() >= 1 ? 1 : 0;
        }
      }
      _exit(files == 1 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(words_of(own) == before);
  });
}

TEST_CASE("a publisher removes only the files of ended processes of its user") {
  const Folder folder;
  const pid_t gone = fork();
  if (gone == 0) {
    _exit(0);
  }
  waitpid(gone, nullptr, 0);
  struct stat space{};
  stat("/proc/self/ns/pid", &space);
  const auto file = [&](std::uint64_t user, std::uint64_t of, pid_t process) {
    char text[publish::kMostName];
    publish::print({user, of, static_cast<std::uint64_t>(process), 1}, text);
    return folder.file(text, "x");
  };
  const std::string left = file(geteuid(), space.st_ino, gone);
  const std::string others = file(geteuid() + 1, space.st_ino, gone);
  const std::string elsewhere = file(geteuid(), space.st_ino + 1, gone);
  const std::string alive = file(geteuid(), space.st_ino, getppid());
  const std::string foreign = folder.file("another", "x");
  const publish::File made = publish::make_file(folder.path().c_str(), 64);
  CHECK(made.words != nullptr);
  CHECK_FALSE(fs::exists(left));
  for (const std::string& one : {others, elsewhere, alive, foreign}) {
    CHECK(fs::exists(one));
  }
  publish::remove_file();
}

TEST_CASE("nothing is reported if the file cannot be made") {
  CHECK(publish::make_file("/no/such/folder", 64).words == nullptr);
  CHECK(publish::make_file("/proc", 64).words == nullptr);
  const Folder folder;
  const std::string link = folder.path() + "/link";
  REQUIRE(symlink("/etc/passwd", link.c_str()) == 0);
  CHECK(publish::make_file(link.c_str(), 64).words == nullptr);
  const pid_t child = fork();
  if (child == 0) {  // if more than 1 KiB were written, SIGXFSZ would end the process
    const rlimit limit{1024, 1024};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(publish::make_file(folder.path().c_str(), 64).words == nullptr ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(name_of(folder.path()).empty());
}

TEST_CASE("the file shows a new specification with the next place") {
  const Folder folder;
  fresh::process(with(folder), [] {
    fake::rows(1);
    const std::string file = name_of(folder_of_variables());
    constexpr char kOther[] = "1,scatter,3,compact";
    CHECK(placement::set_specification(kOther, strlen(kOther)) == 0);
    fake::rows(2);
    CHECK(reinterpret_cast<const char*>(&words_of(file)[publish::kText]) == std::string(kOther));
    CHECK(placement::set_specification("off", 3) == 0);
    fake::rows(1, {.size = 2});
    for (const Told& told : told_in(words_of(file))) {
      CHECK(told.thread != gettid());  // this thread has no place any more
    }
  });
}
