// SPDX-License-Identifier: BSD-3-Clause
// A file in memory, read only, and the bytes of one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace nestbind::cli::inspect {

// The whole file, of at most 16 MB, also of /proc and /sys, whose sizes are not known before they
// are read; nothing, with errno, where it cannot be read.
std::optional<std::string> read_file(const std::string& name);

// The whole of a file that a user names: nothing, with why, where it cannot be read, is no regular
// file (which others could let one wait for), or has more than 16 MB.
std::optional<std::string> read_regular_file(const std::string& name, std::string& fault);

// The same as read_file; empty where it cannot be read.
inline std::string read_small_file(const std::string& name) { return read_file(name).value_or(""); }

// What may be damaged: every access is checked against the length.
class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}

  std::string_view all() const { return all_; }

  // Copies what is at `offset`; false if it is not all there.
  template <typename T>
  bool get(std::uint64_t offset, T& value) const {
    if (offset > all_.size() || all_.size() - offset < sizeof value) {
      return false;
    }
    std::memcpy(&value, all_.data() + offset, sizeof value);
    return true;
  }

  // The nul-terminated string at `offset`; empty if it does not end there within `most` bytes.
  std::string_view string_at(std::uint64_t offset, std::size_t most) const {
    const std::string_view rest = all_.substr(std::min<std::uint64_t>(offset, all_.size()), most);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
  }

 private:
  std::string_view all_;
};

// Only of regular files: others are not even opened, for opening a device may do something, and
// opening a named pipe waits.
class MappedFile {
 public:
  // On a failure `fault` is filled.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& fault() const { return fault_; }
  // errno's; 0 where the file is there, but of a kind not read.
  int error() const { return error_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  void map(int file);

  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::string fault_;
  int error_ = 0;
};

}  // namespace nestbind::cli::inspect
