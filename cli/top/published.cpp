// SPDX-License-Identifier: BSD-3-Clause
#include "cli/top/published.hpp"

#include <fcntl.h>
#include <nestbind/nestbind.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "cli/inspect/text.hpp"
#include "cli/top/process_files.hpp"
#include "mask/cpu_mask.hpp"
#include "options/settings.hpp"
#include "support/files.hpp"

namespace nestbind::cli::top {

namespace {

using publish::Name;
using publish::Word;

// Leaves out numbers above the kernel's limit.
std::vector<int> cpus_of(const Word* record) {
  std::vector<int> cpus;
  const Word first = record[publish::kSlot] >> 32;
  for (unsigned word = 0; word < publish::kMaskWords; ++word) {
    for (unsigned bit = 0; bit < 64; ++bit) {
      const Word cpu = (first + word) * 64 + bit;
      if ((record[publish::kMask + word] >> bit & 1) != 0 && cpu < mask::kMaxCpus) {
        cpus.push_back(static_cast<int>(cpu));
      }
    }
  }
  return cpus;
}

std::optional<Placed> parse_record(const Word* record) {
  const unsigned thread = publish::thread_of(record[publish::kThread]);
  const unsigned flags = publish::flags_of(record[publish::kThread]);
  const unsigned level = publish::level_of(record[publish::kThread]);
  if (thread == 0 || thread > INT32_MAX || level == 0) {
    return std::nullopt;
  }
  Placed placed;
  placed.thread = static_cast<int>(thread);
  placed.is_bound = (flags & publish::kIsBound) != 0;
  placed.is_pinned = (flags & publish::kIsPinned) != 0;
  placed.is_cut = (flags & publish::kIsCut) != 0;
  placed.root = static_cast<int>(flags / publish::kRoot) - 1;
  placed.slot = static_cast<int>(record[publish::kSlot] & INT32_MAX);
  placed.since = record[publish::kSince];
  for (unsigned i = 0; i < level && i < publish::kMostPath; ++i) {
    const Word number = record[publish::kPath + i / 2] >> (i % 2 * 32) & UINT32_MAX;
    if (number >= NESTBIND_MAX_THREADS) {
      return std::nullopt;
    }
    placed.path.push_back(static_cast<int>(number));
  }
  placed.cpus = cpus_of(record);
  return placed.cpus.empty() ? std::nullopt : std::optional(std::move(placed));
}

std::string parse_text(const Words& first, const Words& second) {
  using namespace publish;
  if (!is_settled(&first[kTextChanges], &second[kTextChanges], 1 + kTextWords)) {
    return "?";
  }
  const auto* bytes = reinterpret_cast<const char*>(&first[kText]);
  return {bytes, strnlen(bytes, kTextWords * sizeof(Word))};
}

bool is_whole(const Words& words) {
  using namespace publish;
  return words.size() >= kHeaderWords && words[kMagicAt] == kMagic &&
         words[kVersionAt] == kVersion && words[kRecords] <= kMostRecords &&
         words.size() >= record_at(static_cast<unsigned>(words[kRecords]));
}

Words copy_of(int file) {
  Words words(publish::bytes_of(publish::kMostRecords) / sizeof(Word));
  std::size_t length = 0;
  auto* const bytes = reinterpret_cast<char*>(words.data());
  const std::size_t most = words.size() * sizeof(Word);
  for (ssize_t got = 1; got > 0 && length < most;) {
    got = pread(file, bytes + length, most - length, static_cast<off_t>(length));
    length += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  words.resize(length / sizeof(Word));
  return words;
}

bool is_file_of(uid_t user, const support::Descriptor& file) {
  struct stat status{};
  return file.is_open() && fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == user && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string text_of(const Name& name) {
  char text[publish::kMostName];
  publish::print(name, text);
  return text;
}

}  // namespace

std::optional<Published> parse_published(const Words& first, const Words& second) {
  using namespace publish;
  if (!is_whole(first) || !is_whole(second) || first[kRecords] != second[kRecords]) {
    return std::nullopt;
  }
  Published published;
  published.start = first[kStart];
  published.image = first[kImage];
  published.not_shown = second[kNotShown];
  published.refused = second[kRefused];
  published.tree_number = static_cast<int>(second[kTree] & INT32_MAX);
  published.tree_size = static_cast<int>(second[kTree] >> 32 & INT32_MAX);
  if (second[kMaskSetAfter] > 0) {
    const auto* bytes = reinterpret_cast<const char*>(&second[kMaskSetBy]);
    published.mask_set_by = {bytes, strnlen(bytes, kMaskSetByWords * sizeof(Word))};
    published.mask_set_after = second[kMaskSetAfter] - 1;
  }
  published.spec = parse_text(first, second);
  for (unsigned i = 0; i < first[kRecords]; ++i) {
    const Word* record = &first[record_at(i)];
    if (is_settled(record, &second[record_at(i)], kRecordWords)) {
      if (auto placed = parse_record(record)) {
        published.places.push_back(std::move(*placed));
      }
    }
  }
  return published;
}

bool is_of(const Name& name, const Published& published, const Stat& process) {
  return name.start == process.start && published.start == process.start &&
         (published.image == 0 || process.image == 0 || published.image == process.image);
}

std::string folder_of_files() {
  const std::string set = inspect::variable("NESTBIND_PUBLISH");
  return set.starts_with('/') ? set : options::kSharedFolder;
}

PublishedFiles::PublishedFiles(std::string folder) : folder_(std::move(folder)) {
  struct stat status{};
  space_ = stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

void PublishedFiles::look() {
  names_.clear();
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(folder_.c_str()));
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    Name name;
    if (!publish::parse(static_cast<const char*>(entry->d_name), name) || name.space != space_ ||
        name.process > INT32_MAX) {
      continue;
    }
    const int process = static_cast<int>(name.process);
    if (const auto stat = read_process(process); !stat || stat->start != name.start) {
      remove(name);
    } else if (owner_of(process) == name.user) {
      names_[process] = name;
    }
  }
}

std::vector<int> PublishedFiles::processes() const {
  std::vector<int> processes;
  processes.reserve(names_.size());
  for (const auto& [process, name] : names_) {
    processes.push_back(process);
  }
  return processes;
}

std::optional<Published> PublishedFiles::read(int process, const Stat& stat) const {
  const auto found = names_.find(process);
  if (found == names_.end()) {
    return std::nullopt;
  }
  const Name& name = found->second;
  const std::string path = folder_ + "/" + text_of(name);
  const support::Descriptor file(
      support::open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (!is_file_of(static_cast<uid_t>(name.user), file)) {
    return std::nullopt;
  }
  const Words first = copy_of(file.number());
  const Words second = copy_of(file.number());
  auto published = parse_published(first, second);
  if (published && !is_of(name, *published, stat)) {
    remove(name);
    return std::nullopt;
  }
  return published;
}

void PublishedFiles::remove(const Name& name) const {
  if (name.user == geteuid()) {
    unlink((folder_ + "/" + text_of(name)).c_str());
  }
}

}  // namespace nestbind::cli::top
