// SPDX-License-Identifier: BSD-3-Clause
// A file mapped for reading, and its bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace nestbind::cli::inspect {

// Each access is checked against the length.
class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}

  std::string_view all() const { return all_; }

  // Returns false if the value is not completely within the bytes.
  template <typename T>
  bool get(std::uint64_t offset, T& value) const {
    if (offset > all_.size() || all_.size() - offset < sizeof value) {
      return false;
    }
    std::memcpy(&value, all_.data() + offset, sizeof value);
    return true;
  }

  std::string_view string_at(std::uint64_t offset, std::size_t most) const {
    const std::string_view rest = all_.substr(std::min<std::uint64_t>(offset, all_.size()), most);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
  }

 private:
  std::string_view all_;
};

// Maps only regular files: opening a device may have an effect, and opening a pipe waits.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& fault() const { return fault_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::string fault_;
};

}  // namespace nestbind::cli::inspect
