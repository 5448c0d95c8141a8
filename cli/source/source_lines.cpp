// SPDX-License-Identifier: BSD-3-Clause
#include "cli/source/source_lines.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/source/libdw.hpp"

namespace nestbind::cli::source {

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// A report shows at most 511 characters of a name. '?' replaces unsafe characters.
bool is_shown_as(const char* name, const std::string& shown) {
  constexpr std::size_t kCut = 511;
  const std::size_t length = std::strlen(name);
  return (length == shown.size() || (length > kCut && shown.size() == kCut)) &&
         std::equal(shown.begin(), shown.end(), name,
                    [](char told, char is) { return told == is || told == '?'; });
}

constexpr std::string_view kOutlined[] = {"._omp_fn.", ".omp_outlined", "..omp_par"};

// Returns the position of the suffix in a symbol, or npos. Clang makes two functions for a region.
// Only the one without "_debug__" goes to the runtime.
std::size_t find_outlined(std::string_view symbol) {
  constexpr std::string_view kSecond = "_debug__";
  for (const std::string_view sign : kOutlined) {
    const std::size_t at = symbol.find(sign);
    const bool is_second = symbol.find(kSecond, symbol.rfind(sign)) != std::string_view::npos;
    if (at != std::string_view::npos && !is_second) {
      return at;
    }
  }
  return std::string_view::npos;
}

bool is_before(const Outlined& one, const Outlined& other) {
  return std::tie(one.file, one.line, one.begin) < std::tie(other.file, other.line, other.begin);
}

}  // namespace

// The debug information of one file, read by libdw. All addresses are addresses in the file.
class DebugFile {
 public:
  DebugFile(const Libdw& calls, const std::string& name) : calls_(calls), fault_(open(name)) {}

  ~DebugFile() { calls_.dwfl_end(session_); }

  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  const std::string& fault() const { return fault_; }

  bool is_open() const { return is_open_; }

  std::string build_id() const {
    const unsigned char* bits = nullptr;
    GElf_Addr address = 0;
    const int size = module_ == nullptr ? 0 : calls_.dwfl_module_build_id(module_, &bits, &address);
    std::string text;
    for (int i = 0; i < size; ++i) {
      text += fmt::format("{:02x}", bits[i]);
    }
    return text;
  }

  // True if the function begins at this address. `shown` is the name in a report, or empty for any
  // function.
  bool has_function(const std::string& shown, std::uint64_t begin) const {
    bool is_there = false;
    each_function([&](const char* name, const GElf_Sym&, GElf_Addr address) {
      is_there = is_there || (address == begin && (shown.empty() || is_shown_as(name, shown)));
    });
    return is_there;
  }

  std::vector<Frame> frames(std::uint64_t address) const {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = unit_of(address, bias);
    const Dwarf_Addr in_unit = address + bias_ - bias;
    Dwarf_Line* line = unit == nullptr ? nullptr : calls_.dwarf_getsrc_die(unit, in_unit);
    const char* name = line == nullptr ? nullptr : calls_.dwarf_linesrc(line, nullptr, nullptr);
    Frame frame;
    if (name == nullptr || calls_.dwarf_lineno(line, &frame.line) != 0 || frame.line == 0) {
      return {};
    }
    frame.file = name;
    std::vector<Dwarf_Die> functions;
    find_functions(*unit, in_unit, 0, functions);
    std::vector<Frame> found;
    for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
      frame.function = name_of(*function);
      found.push_back(frame);
      frame = call_of(*unit, *function);
    }
    if (found.empty()) {
      found.push_back(frame);
    }
    return found;
  }

  // Without debug information the regions have no lines.
  void add_symbols(Regions& regions, Detail detail) const {
    each_function([&](const char* name, const GElf_Sym& symbol, GElf_Addr begin) {
      regions.has_symbols = regions.has_symbols || GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
      const std::size_t end = find_outlined(name);
      if (end == std::string_view::npos) {
        if (detail == Detail::kAll) {
          regions.functions.push_back({name, begin, begin + symbol.st_size});
        }
        return;
      }
      Outlined found{name, demangled(std::string(name, end)), begin, "", 0, false, false};
      Dwarf_Addr bias = 0;
      if (Dwarf_Die* unit = fault_.empty() ? unit_of(found.begin, bias) : nullptr) {
        find_line(*unit, bias, found);
        find_language(*unit, found);
      }
      regions.outlined.push_back(std::move(found));
    });
    std::ranges::sort(regions.outlined, is_before);
  }

  void add_rows(Regions& regions) const {
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = calls_.dwfl_module_nextcu(module_, nullptr, &bias); unit != nullptr;
         unit = calls_.dwfl_module_nextcu(module_, unit, &bias)) {
      Dwarf_Lines* lines = nullptr;
      std::size_t count = 0;
      if (calls_.dwarf_getsrclines(unit, &lines, &count) != 0) {
        continue;
      }
      Row row;
      for (std::size_t i = 0; i < count; ++i) {
        Dwarf_Line* const line = calls_.dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        bool is_end = false;
        calls_.dwarf_lineaddr(line, &address);
        calls_.dwarf_lineendsequence(line, &is_end);
        row.end = address + bias - bias_;
        if (row.file != nullptr && row.begin < row.end) {
          regions.rows.push_back(row);
        }
        const char* name = is_end ? nullptr : calls_.dwarf_linesrc(line, nullptr, nullptr);
        row.begin = row.end;
        row.file = name == nullptr ? nullptr : &*regions.files.insert(name).first;
        calls_.dwarf_lineno(line, &row.line);
      }
    }
  }

 private:
  // Calls take(name, symbol, address) for each function that the file defines.
  template <typename Take>
  void each_function(Take take) const {
    const int count = calls_.dwfl_module_getsymtab(module_);
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol = {};
      GElf_Addr address = 0;
      const char* name =
          calls_.dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
      if (name != nullptr && symbol.st_shndx != SHN_UNDEF &&
          GELF_ST_TYPE(symbol.st_info) == STT_FUNC) {
        take(name, symbol, address - bias_);
      }
    }
  }

  // Uses the first line entry of the first instruction. Moved code may have several entries for an
  // instruction. With GCC, the result is the region's line. With Flang, the result is the line of
  // the first statement.
  void find_line(Dwarf_Die& unit, Dwarf_Addr bias, Outlined& outlined) const {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (calls_.dwarf_getsrclines(&unit, &lines, &count) != 0) {
      return;
    }
    const Dwarf_Addr in_unit = outlined.begin + bias_ - bias;
    for (std::size_t i = 0; i < count && outlined.line == 0; ++i) {
      Dwarf_Line* const line = calls_.dwarf_onesrcline(lines, i);
      Dwarf_Addr address = 0;
      bool is_end = false;
      if (calls_.dwarf_lineaddr(line, &address) != 0 || address < in_unit) {
        continue;
      }
      if (calls_.dwarf_lineendsequence(line, &is_end) != 0 || is_end) {
        if (address == in_unit) {
          continue;  // the end of the previous function's sequence
        }
        return;
      }
      const char* name = calls_.dwarf_linesrc(line, nullptr, nullptr);
      outlined.file = name == nullptr ? "" : name;
      calls_.dwarf_lineno(line, &outlined.line);
      outlined.is_statement = address > in_unit;
    }
    if (!outlined.is_statement) {
      const int declared = declared_at(unit, in_unit, 0);
      outlined.line = declared > 0 ? declared : outlined.line;
    }
  }

  // GCC calls each main program MAIN__ and records its name, which Flang does not.
  void find_language(Dwarf_Die& unit, Outlined& outlined) const {
    constexpr Dwarf_Word kFortran[] = {DW_LANG_Fortran77, DW_LANG_Fortran90, DW_LANG_Fortran95,
                                       DW_LANG_Fortran03, DW_LANG_Fortran08};
    Dwarf_Attribute attribute;
    Dwarf_Word language = 0;
    calls_.dwarf_formudata(calls_.dwarf_attr_integrate(&unit, DW_AT_language, &attribute),
                           &language);
    outlined.is_fortran = std::ranges::find(kFortran, language) != std::end(kFortran);
    Dwarf_Die child;
    bool is_more = outlined.function == "MAIN__" && calls_.dwarf_child(&unit, &child) == 0;
    for (; is_more; is_more = calls_.dwarf_siblingof(&child, &child) == 0) {
      if (calls_.dwarf_attr_integrate(&child, DW_AT_main_subprogram, &attribute) != nullptr) {
        outlined.function = name_of(child);
        return;
      }
    }
  }

  // Returns the line of the function's declaration (in Clang's code, of the region); 0 if not
  // known.
  int declared_at(Dwarf_Die& scope, Dwarf_Addr address, int depth) const {
    constexpr int kMostDepth = 20;
    Dwarf_Die child;
    bool is_more = depth < kMostDepth && calls_.dwarf_child(&scope, &child) == 0;
    for (; is_more; is_more = calls_.dwarf_siblingof(&child, &child) == 0) {
      Dwarf_Addr begin = 0;
      Dwarf_Attribute attribute;
      Dwarf_Word line = 0;
      if (calls_.dwarf_tag(&child) == DW_TAG_subprogram &&
          calls_.dwarf_lowpc(&child, &begin) == 0 && begin == address) {
        calls_.dwarf_formudata(calls_.dwarf_attr_integrate(&child, DW_AT_decl_line, &attribute),
                               &line);
        return static_cast<int>(line);
      }
      if (const int found = declared_at(child, address, depth + 1); found > 0) {
        return found;
      }
    }
    return 0;
  }

  std::string open(const std::string& name) {
    struct stat status = {};
    if (stat(name.c_str(), &status) != 0) {
      return std::strerror(errno);
    }
    if (!S_ISREG(status.st_mode)) {
      return "no regular file";
    }
    callbacks_.find_elf = calls_.dwfl_build_id_find_elf;
    callbacks_.find_debuginfo = calls_.dwfl_standard_find_debuginfo;
    callbacks_.section_address = calls_.dwfl_offline_section_address;
    session_ = calls_.dwfl_begin(&callbacks_);
    if (session_ == nullptr) {
      return calls_.dwfl_errmsg(-1);
    }
    calls_.dwfl_report_begin(session_);
    module_ = calls_.dwfl_report_offline(session_, name.c_str(), name.c_str(), -1);
    calls_.dwfl_report_end(session_, nullptr, nullptr);
    if (module_ == nullptr || calls_.dwfl_module_getelf(module_, &bias_) == nullptr) {
      return calls_.dwfl_errmsg(-1);
    }
    is_open_ = true;
    Dwarf_Addr bias = 0;
    if (calls_.dwfl_module_getdwarf(module_, &bias) == nullptr) {
      return "no debug information: compile with -g, or install the file that has it";
    }
    return "";
  }

  // Searches all units, because Clang writes no table of each unit's addresses.
  Dwarf_Die* unit_of(std::uint64_t address, Dwarf_Addr& bias) const {
    Dwarf_Die* unit = calls_.dwfl_module_addrdie(module_, address + bias_, &bias);
    if (unit != nullptr) {
      return unit;
    }
    do {
      unit = calls_.dwfl_module_nextcu(module_, unit, &bias);
    } while (unit != nullptr && calls_.dwarf_haspc(unit, address + bias_ - bias) <= 0);
    return unit;
  }

  // First finds the function that contains the address, then the functions that are inlined there.
  // dwarf_getscopes() does not find GCC's outlined functions. GCC records such a function in the
  // block of the function that contains the region.
  bool find_functions(Dwarf_Die& scope, Dwarf_Addr address, int depth,
                      std::vector<Dwarf_Die>& found) const {
    constexpr int kMostDepth = 200;
    Dwarf_Die child;
    bool is_more = depth < kMostDepth && calls_.dwarf_child(&scope, &child) == 0;
    for (; is_more; is_more = calls_.dwarf_siblingof(&child, &child) == 0) {
      const int tag = calls_.dwarf_tag(&child);
      const bool is_inside = found.empty();
      const bool has_address = calls_.dwarf_haspc(&child, address) > 0;
      const bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
      if (is_function && has_address) {
        found.push_back(child);
      }
      const bool may_have =
          has_address || (is_inside && (tag == DW_TAG_subprogram || tag == DW_TAG_namespace ||
                                        tag == DW_TAG_module || tag == DW_TAG_structure_type ||
                                        tag == DW_TAG_class_type || tag == DW_TAG_lexical_block));
      if (may_have) {
        find_functions(child, address, depth + 1, found);
      }
      if (is_inside && !found.empty()) {
        return true;
      }
    }
    return !found.empty();
  }

  std::string name_of(Dwarf_Die& function) const {
    Dwarf_Attribute attribute;
    for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
      const char* name =
          calls_.dwarf_formstring(calls_.dwarf_attr_integrate(&function, kind, &attribute));
      if (name != nullptr) {
        return demangled(name);
      }
    }
    return "";
  }

  Frame call_of(Dwarf_Die& unit, Dwarf_Die& inlined) const {
    Frame call;
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (calls_.dwarf_formudata(calls_.dwarf_attr_integrate(&inlined, DW_AT_call_file, &attribute),
                               &number) == 0 &&
        calls_.dwarf_getsrcfiles(&unit, &files, &count) == 0) {
      const char* name = calls_.dwarf_filesrc(files, number, nullptr, nullptr);
      call.file = name == nullptr ? "" : name;
    }
    if (calls_.dwarf_formudata(calls_.dwarf_attr_integrate(&inlined, DW_AT_call_line, &attribute),
                               &number) == 0) {
      call.line = static_cast<int>(number);
    }
    return call;
  }

  const Libdw& calls_;
  Dwfl_Callbacks callbacks_ = {};
  Dwfl* session_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;
  bool is_open_ = false;
  std::string fault_;
};

std::string change(const DebugFile& file, const Place& place) {
  if (!place.build_id.empty()) {
    const std::string is = file.build_id();
    return is == place.build_id
               ? ""
               : fmt::format("has changed since: its build id is {}, in the report {}",
                             is.empty() ? "none" : is, place.build_id);
  }
  const bool is_there = place.function.empty() ||
                        file.has_function(place.function, place.address - place.in_function);
  return is_there ? ""
                  : fmt::format("has changed since: {} is at another address than in the report",
                                place.function);
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) {  // a C function "a" would become a C++ type
    return symbol;
  }
  int status = 0;
  const std::unique_ptr<char, Free> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status));
  return text == nullptr ? symbol : text.get();
}

Regions regions_of(const std::string& name, Detail detail) {
  Regions found;
  const Libdw* const calls = libdw();
  if (calls == nullptr) {
    found.fault = Lines().missing();
    return found;
  }
  const DebugFile file(*calls, name);
  found.has_lines = file.fault().empty();
  if (!file.is_open()) {
    found.fault = file.fault();
    return found;
  }
  file.add_symbols(found, detail);
  if (found.has_lines && detail == Detail::kAll) {
    file.add_rows(found);
  }
  return found;
}

class Lines::Files {
 public:
  const DebugFile& file(const Libdw& calls, const std::string& name) {
    return files_.try_emplace(name, calls, name).first->second;
  }

 private:
  std::map<std::string, DebugFile> files_;
};

Lines::Lines() : files_(std::make_unique<Files>()) {}
Lines::~Lines() = default;

std::string Lines::missing() const {
  return libdw() == nullptr ? "elfutils' libdw.so.1 cannot be loaded (Debian: libdw1)" : "";
}

Found Lines::find(const Place& place) {
  const Libdw* calls = libdw();
  if (calls == nullptr) {
    return {};
  }
  const DebugFile& file = files_->file(*calls, place.module);
  Found found;
  found.fault = file.fault().empty() ? change(file, place) : file.fault();
  if (found.fault.empty()) {
    // The byte after a call may belong to another line, so the last byte of the call is used.
    const bool is_begin =
        place.function.empty() ? file.has_function("", place.address) : place.in_function == 0;
    found.frames = file.frames(place.address - (is_begin ? 0 : 1));
    if (!found.frames.empty() && found.frames.back().function.empty()) {
      found.frames.back().function = demangled(place.function);
    }
  } else if (!told_.insert(place.module + found.fault).second) {
    found.fault.clear();
  }
  return found;
}

}  // namespace nestbind::cli::source
