// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/redirect.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

#include "interpose/dynamic.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::interpose {

namespace {

struct Search {
  const void* inside;
  const char* name;
  void* found;

  bool is_for(const dl_phdr_info& info) const {
    return range_of(info).has(reinterpret_cast<uintptr_t>(inside));
  }
};

int look_for_definition(dl_phdr_info* info, size_t, void* memory) {
  auto& search = *static_cast<Search*>(memory);
  if (!search.is_for(*info)) {
    return 0;
  }
  const Dynamic module = read_dynamic(*info);
  each_definition_of(module, search.name, [&](const ElfW(Sym) & symbol) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
      search.found = reinterpret_cast<void*>(module.base + symbol.st_value);
    }
  });
  return 1;
}

// A word that the loader has not bound yet may point to a stub in the importing module.
int look_for_word(dl_phdr_info* info, size_t, void* memory) {
  auto& search = *static_cast<Search*>(memory);
  if (!search.is_for(*info)) {
    return 0;
  }
  const Dynamic module = read_dynamic(*info);
  const size_t length = strlen(search.name);
  any_relocation(module, [&](const ElfW(Rela) & relocation, const ElfW(Sym) & symbol) {
    const char* name = module.names + symbol.st_name;
    if (!is_address(relocation) || strncmp(name, search.name, length) != 0) {
      return false;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
    auto** word = reinterpret_cast<void**>(module.base + relocation.r_offset);
    void* bound_to = __atomic_load_n(word, __ATOMIC_RELAXED);
    const bool is_it = !is_ours(bound_to) && defined_function(bound_to, name) == bound_to;
    search.found = is_it ? bound_to : nullptr;
    return is_it;
  });
  return 1;
}

struct Redirection {
  const void* inside;
  const char* name;
  void* to;
  bool is_done;
};

int change(dl_phdr_info* info, size_t, void* memory) {
  auto& wanted = *static_cast<Redirection*>(memory);
  if (!range_of(*info).has(reinterpret_cast<uintptr_t>(wanted.inside))) {
    return 0;
  }
  const auto choose = [&](const char* name, void*) -> void* {
    return strcmp(name, wanted.name) == 0 ? wanted.to : nullptr;
  };
  const Dynamic module = read_dynamic(*info);
  rebind_words(*info, module, choose);
  any_relocation(module, [&](const ElfW(Rela) & relocation, const ElfW(Sym) & symbol) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
    auto** word = reinterpret_cast<void**>(module.base + relocation.r_offset);
    wanted.is_done = is_address(relocation) &&
                     choose(module.names + symbol.st_name, nullptr) != nullptr &&
                     __atomic_load_n(word, __ATOMIC_RELAXED) == wanted.to;
    return wanted.is_done;
  });
  return 1;
}

using IsMeant = bool(const char* name);
constinit std::atomic<IsMeant*> g_is_hidden{nullptr};

struct Own {
  Dynamic dynamic;
  int protection;
};

int find_own(dl_phdr_info* info, size_t, void* memory) {
  const Dynamic dynamic = read_dynamic(*info);
  if (!is_ours(dynamic.symbols)) {
    return 0;
  }
  *static_cast<Own*>(memory) = {dynamic,
                                protection_of(*info, reinterpret_cast<uintptr_t>(dynamic.symbols))};
  return 1;
}

// Linkers put the table in read-only memory.
bool set_visibility(IsMeant* is_meant, unsigned char visibility) {
  const support::ErrnoKept errno_kept;
  Own own{};
  dl_iterate_phdr(find_own, &own);
  if (own.protection != PROT_READ) {
    return false;
  }
  const auto each_meant = [&](auto take) {
    each_definition(own.dynamic, [&](const ElfW(Sym) & symbol) {
      if (is_meant(own.dynamic.names + symbol.st_name)) {
        take(symbol);
      }
    });
  };
  ModuleRange range;
  each_meant([&](const ElfW(Sym) & symbol) { include(range, symbol); });
  const Writable writable(range, own.protection);
  if (!writable) {
    return false;
  }
  each_meant(
      [&](const ElfW(Sym) & symbol) { const_cast<ElfW(Sym)&>(symbol).st_other = visibility; });
  return true;
}

struct ImportSearch {
  const char* prefix;
  const ModuleRange& but;
  const ModuleRange& nor;
};

// Searches the relocations, because a module does not say how many symbols it has.
int look_in(dl_phdr_info* info, size_t, void* memory) {
  const auto* search = static_cast<ImportSearch*>(memory);
  const Dynamic module = read_dynamic(*info);
  const auto names = reinterpret_cast<uintptr_t>(module.names);
  if (module.symbols == nullptr || search->but.has(names) || search->nor.has(names)) {
    return 0;
  }
  const size_t length = strlen(search->prefix);
  const bool found = any_relocation(module, [&](const ElfW(Rela)&, const ElfW(Sym) & symbol) {
    return symbol.st_shndx == SHN_UNDEF &&
           strncmp(module.names + symbol.st_name, search->prefix, length) == 0;
  });
  return found ? 1 : 0;
}

// The loader reports the program first.
int look_in_program(dl_phdr_info* info, size_t, void* name) {
  constexpr int kYes = 1;
  constexpr int kNo = 2;
  const Dynamic module = read_dynamic(*info);
  const bool found = any_relocation(module, [&](const ElfW(Rela)&, const ElfW(Sym) & symbol) {
    return symbol.st_shndx == SHN_UNDEF && is_named(module, symbol, static_cast<const char*>(name));
  });
  return found ? kYes : kNo;
}

int look_for_import(dl_phdr_info* info, size_t, void* name) {
  const Dynamic module = read_dynamic(*info);
  return !is_ours(module.names) && does_define(module, static_cast<const char*>(name)) ? 1 : 0;
}

int look_for_need(dl_phdr_info* info, size_t, void* library) {
  return does_need(*info, static_cast<const char*>(library)) ? 1 : 0;
}

class ProgramFile {
 public:
  ProgramFile() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      void* memory =
          mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      bytes_ = memory == MAP_FAILED ? nullptr : static_cast<const char*>(memory);
      size_ = bytes_ == nullptr ? 0 : static_cast<size_t>(status.st_size);
    }
    if (file >= 0) {
      close(file);
    }
  }
  ~ProgramFile() {
    if (bytes_ != nullptr) {
      munmap(const_cast<char*>(bytes_), size_);
    }
  }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  template <typename Entry>
  const Entry* at(size_t offset, size_t count = 1) const {
    const bool is_inside = offset <= size_ && count <= (size_ - offset) / sizeof(Entry);
    return is_inside ? reinterpret_cast<const Entry*>(bytes_ + offset) : nullptr;
  }

 private:
  const char* bytes_ = nullptr;
  size_t size_ = 0;
};

bool has_function(const ProgramFile& file, const ElfW(Shdr) & table, const ElfW(Shdr) & texts,
                  const char* name) {
  const size_t count = table.sh_size / sizeof(ElfW(Sym));
  const auto* symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
  const char* text = file.at<char>(texts.sh_offset, texts.sh_size);
  const size_t length = strlen(name) + 1;
  for (size_t i = 0; symbols != nullptr && text != nullptr && i < count; ++i) {
    const ElfW(Sym)& symbol = symbols[i];
    if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
        symbol.st_name < texts.sh_size && texts.sh_size - symbol.st_name >= length &&
        memcmp(text + symbol.st_name, name, length) == 0) {
      return true;
    }
  }
  return false;
}

int look_for_text(dl_phdr_info* info, size_t, void* text) {
  constexpr int kYes = 1;
  constexpr int kNo = 2;
  const size_t length = strlen(static_cast<const char*>(text)) + 1;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
    const auto* begin = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
    if (part.p_type == PT_LOAD && (part.p_flags & (PF_R | PF_W)) == PF_R &&
        memmem(begin, part.p_filesz, text, length) != nullptr) {
      return kYes;
    }
  }
  return kNo;
}

}  // namespace

const void* bound_function(const void* inside, const char* prefix) {
  Search search{inside, prefix, nullptr};
  dl_iterate_phdr(look_for_word, &search);
  return search.found;
}

void* defined_function(const void* inside, const char* name) {
  Search search{inside, name, nullptr};
  dl_iterate_phdr(look_for_definition, &search);
  return search.found;
}

bool redirect(const void* inside, const char* name, void* to) {
  Redirection wanted{inside, name, to, false};
  dl_iterate_phdr(change, &wanted);
  return wanted.is_done;
}

void hide_exports(bool (*is_meant)(const char* name)) {
  if (set_visibility(is_meant, STV_HIDDEN)) {
    g_is_hidden = is_meant;
  }
}

bool show_exports() {
  // Only one thread does this, because the pages are writable for a while.
  IsMeant* const is_meant = g_is_hidden.exchange(nullptr);
  return is_meant != nullptr && set_visibility(is_meant, STV_DEFAULT);
}

bool is_imported(const char* prefix, const ModuleRange& but, const ModuleRange& nor) {
  ImportSearch search{prefix, but, nor};
  return dl_iterate_phdr(look_in, &search) != 0;
}

bool is_imported_by_program(const char* name) {
  return dl_iterate_phdr(look_in_program, const_cast<char*>(name)) == 1;
}

bool is_defined_elsewhere(const char* name) {
  return dl_iterate_phdr(look_for_import, const_cast<char*>(name)) != 0;
}

bool is_needed(const char* library) {
  return dl_iterate_phdr(look_for_need, const_cast<char*>(library)) != 0;
}

bool program_has_text(const char* text) {
  return dl_iterate_phdr(look_for_text, const_cast<char*>(text)) == 1;
}

bool program_contains(const char* name) {
  const support::ErrnoKept errno_kept;
  const ProgramFile file;
  const auto* header = file.at<ElfW(Ehdr)>(0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    return false;
  }
  const auto* sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  for (int i = 0; sections != nullptr && i < header->e_shnum; ++i) {
    if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum) {
      return has_function(file, sections[i], sections[sections[i].sh_link], name);
    }
  }
  return false;
}

}  // namespace nestbind::interpose
