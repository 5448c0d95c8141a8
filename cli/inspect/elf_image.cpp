// SPDX-License-Identifier: BSD-3-Clause
// The format is in the System V gABI, chapters 4 and 5, and in elf(5).
#include "cli/inspect/elf_image.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "support/files.hpp"

namespace nestbind::cli::inspect {

namespace {

// No program is larger than this limit. A sparse file may be larger than the address space.
constexpr off_t kMaxSize = off_t{1} << 34;

std::string fault_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) {
    return S_ISDIR(status.st_mode) ? "Is a directory" : "Not a regular file";
  }
  return status.st_size > kMaxSize ? "Larger than 16 GiB" : "";
}

#if defined(__x86_64__)
constexpr int kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kOwnMachine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr int kOwnMachine = EM_PPC64;
#elif defined(__riscv)
constexpr int kOwnMachine = EM_RISCV;
#else
#error "say which e_machine programs of this architecture have"
#endif

constexpr std::uint64_t kMaxEntries = 4096;  // more than in every real program

}  // namespace

// The test by stat() is first, because opening a device may have an effect.
MappedFile::MappedFile(const std::string& path) {
  struct stat status{};
  bool is_good = stat(path.c_str(), &status) == 0;
  fault_ = is_good ? fault_of(status) : std::strerror(errno);
  if (!fault_.empty()) {
    return;
  }
  // open() must not wait, because by now a pipe may have replaced the file.
  const support::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  is_good = file.is_open() && fstat(file.number(), &status) == 0;
  fault_ = is_good ? fault_of(status) : std::strerror(errno);
  if (!fault_.empty() || status.st_size == 0) {
    return;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (data == MAP_FAILED) {
    fault_ = std::strerror(errno);
    return;
  }
  data_ = static_cast<const char*>(data);
  size_ = size;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    munmap(const_cast<char*>(data_), size_);
  }
}

bool ElfImage::is_own(Bytes file) {
  Elf64_Ehdr header{};
  return file.all().starts_with(std::string_view(ELFMAG, SELFMAG)) && file.get(0, header) &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_machine == kOwnMachine;
}

ElfImage::ElfImage(Bytes file) : file_(file) {
  file_.get(0, header_);
  each<Elf64_Phdr>(header_.e_phoff, header_.e_phnum,
                   [this](const Elf64_Phdr& segment) { segments_.push_back(segment); });
  read_dynamic();
  strings_ = offset_by(DT_STRTAB);
}

void ElfImage::read_dynamic() {
  // If there are several dynamic segments, the last one counts, as for the loader.
  const auto found = std::find_if(segments_.rbegin(), segments_.rend(),
                                  [](const Elf64_Phdr& one) { return one.p_type == PT_DYNAMIC; });
  if (found == segments_.rend()) {
    return;
  }
  // The loader uses the address, not the file offset.
  const std::uint64_t begin = offset_of(found->p_vaddr).value_or(found->p_offset);
  const std::uint64_t count = found->p_filesz / sizeof(Elf64_Dyn);
  bool is_ended = false;
  each<Elf64_Dyn>(begin, std::min(count, kMaxEntries), [&](const Elf64_Dyn& entry) {
    is_ended |= entry.d_tag == DT_NULL;
    if (!is_ended) {
      dynamic_.push_back(entry);
    }
  });
}

std::optional<std::uint64_t> ElfImage::offset_of(std::uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ElfImage::value_of(Elf64_Sxword tag) const {
  const auto found = std::find_if(dynamic_.rbegin(), dynamic_.rend(),
                                  [&](const Elf64_Dyn& entry) { return entry.d_tag == tag; });
  return found == dynamic_.rend() ? std::nullopt : std::optional(found->d_un.d_val);
}

std::optional<std::uint64_t> ElfImage::offset_by(Elf64_Sxword tag) const {
  const auto address = value_of(tag);
  return address ? offset_of(*address) : std::nullopt;
}

std::string_view ElfImage::text(std::uint64_t index, std::size_t most) const {
  return strings_ ? file_.string_at(*strings_ + index, most) : std::string_view{};
}

std::optional<ElfSymbols> ElfImage::symbols_of(Elf64_Word type) const {
  Elf64_Shdr table{};
  Elf64_Shdr strings{};
  each<Elf64_Shdr>(header_.e_shoff, header_.e_shnum, [&](const Elf64_Shdr& section) {
    table = section.sh_type == type ? section : table;
  });
  if (table.sh_size == 0 || !file_.get(header_.e_shoff + table.sh_link * sizeof strings, strings)) {
    return std::nullopt;
  }
  return ElfSymbols{table.sh_offset, table.sh_size / sizeof(Elf64_Sym), strings.sh_offset};
}

std::uint64_t ElfImage::dynamic_symbols() const {
  std::uint64_t symbols = symbols_of(SHT_DYNSYM).value_or(ElfSymbols{}).count;
  Elf64_Word chains = 0;
  const auto hash = offset_by(DT_HASH);
  if (symbols == 0 && hash && file_.get(*hash + sizeof chains, chains)) {
    symbols = chains;
  }
  // Without sections and DT_HASH, assumes that the symbols end where the strings begin. Linkers put
  // the strings after the symbols.
  const std::uint64_t table = value_of(DT_SYMTAB).value_or(0);
  const std::uint64_t strings = value_of(DT_STRTAB).value_or(0);
  if (symbols == 0 && strings > table) {
    symbols = (strings - table) / sizeof(Elf64_Sym);
  }
  return symbols;
}

}  // namespace nestbind::cli::inspect
