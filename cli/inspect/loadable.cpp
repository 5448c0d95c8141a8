// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loadable.hpp"

#include <algorithm>

#include "cli/inspect/elf_image.hpp"

namespace nestbind::cli::inspect {

namespace {

using Answer = Loadable::Answer;

// LIBC_ABI_MAX of glibc, or beyond it.
constexpr int kMaxAbiVersion = 8;

const char* fault_of_identification(const unsigned char* ident) {
  const bool is_gnu = ident[EI_OSABI] == ELFOSABI_GNU;
  const int abi_version = ident[EI_ABIVERSION];
  if (ident[EI_DATA] != ELFDATA2LSB) {
    return "ELF file data encoding not little-endian";
  }
  if (ident[EI_VERSION] != EV_CURRENT) {
    return "ELF file version ident does not match current one";
  }
  if (ident[EI_OSABI] != ELFOSABI_SYSV && !is_gnu) {
    return "ELF file OS ABI invalid";
  }
  if (abi_version != 0 && (!is_gnu || abi_version >= kMaxAbiVersion)) {
    return "ELF file ABI version invalid";
  }
  const auto is_set = [](unsigned char byte) { return byte != 0; };
  return std::any_of(ident + EI_PAD, ident + EI_NIDENT, is_set) ? "nonzero padding in e_ident"
                                                                : nullptr;
}

const char* fault_of_header(const Elf64_Ehdr& header) {
  if (header.e_version != EV_CURRENT) {
    return "ELF file version does not match current one";
  }
  if (header.e_type != ET_DYN && header.e_type != ET_EXEC) {
    return "only ET_DYN and ET_EXEC can be loaded";
  }
  return header.e_phentsize == sizeof(Elf64_Phdr) ? nullptr
                                                  : "ELF file's phentsize not the expected size";
}

const char* fault_of_segments(const ElfImage& image) {
  const auto has = [&](Elf64_Word type, bool is_empty) {
    return std::any_of(image.segments().begin(), image.segments().end(),
                       [&](const Elf64_Phdr& segment) {
                         return segment.p_type == type && (segment.p_filesz == 0) == is_empty;
                       });
  };
  if (image.segments().size() != image.header().e_phnum) {
    return "cannot read file data";
  }
  if (!has(PT_LOAD, false) && !has(PT_LOAD, true)) {
    return "object file has no loadable segments";
  }
  if (image.header().e_type != ET_DYN) {
    return "cannot dynamically load executable";
  }
  if (!has(PT_DYNAMIC, false) || has(PT_DYNAMIC, true)) {
    return "object file has no dynamic section";
  }
  return (image.value_of(DT_FLAGS_1).value_or(0) & DF_1_PIE) != 0
             ? "cannot dynamically load position-independent executable"
             : nullptr;
}

}  // namespace

Loadable loadable(std::string_view bytes) {
  const Bytes file(bytes);
  Elf64_Ehdr header{};
  if (!file.get(0, header)) {
    return {Answer::kNo, "file too short"};
  }
  if (!bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) {
    return {Answer::kNo, "invalid ELF header"};
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64) {
    return {Answer::kOther, ""};
  }
  const char* fault = fault_of_identification(header.e_ident);
  if (fault == nullptr && header.e_version == EV_CURRENT && !ElfImage::is_own(file)) {
    return {Answer::kOther, ""};  // for another machine
  }
  fault = fault == nullptr ? fault_of_header(header) : fault;
  fault = fault == nullptr ? fault_of_segments(ElfImage(file)) : fault;
  return fault == nullptr ? Loadable{} : Loadable{Answer::kNo, fault};
}

}  // namespace nestbind::cli::inspect
