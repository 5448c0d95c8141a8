// SPDX-License-Identifier: BSD-3-Clause
#include "cli/source/libdw.hpp"

#include <dlfcn.h>

namespace nestbind::cli::source {

namespace {

class Library {
 public:
  explicit Library(const char* name) : library_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  template <typename Function>
  void find(const char* name, Function*& function) {
    function = library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
    has_all_ = has_all_ && function != nullptr;
  }
  bool has_all() const { return has_all_; }

 private:
  void* library_;
  bool has_all_ = true;
};

bool load(Libdw& calls) {
  Library library("libdw.so.1");
  library.find("dwfl_begin", calls.dwfl_begin);
  library.find("dwfl_end", calls.dwfl_end);
  library.find("dwfl_report_begin", calls.dwfl_report_begin);
  library.find("dwfl_report_offline", calls.dwfl_report_offline);
  library.find("dwfl_report_end", calls.dwfl_report_end);
  library.find("dwfl_report_elf", calls.dwfl_report_elf);
  library.find("dwfl_attach_state", calls.dwfl_attach_state);
  library.find("dwfl_getthread_frames", calls.dwfl_getthread_frames);
  library.find("dwfl_thread_state_registers", calls.dwfl_thread_state_registers);
  library.find("dwfl_thread_state_register_pc", calls.dwfl_thread_state_register_pc);
  library.find("dwfl_frame_pc", calls.dwfl_frame_pc);
  library.find("dwfl_addrmodule", calls.dwfl_addrmodule);
  library.find("dwfl_module_info", calls.dwfl_module_info);
  library.find("dwfl_module_addrinfo", calls.dwfl_module_addrinfo);
  library.find("dwfl_build_id_find_elf", calls.dwfl_build_id_find_elf);
  library.find("dwfl_standard_find_debuginfo", calls.dwfl_standard_find_debuginfo);
  library.find("dwfl_offline_section_address", calls.dwfl_offline_section_address);
  library.find("dwfl_module_getelf", calls.dwfl_module_getelf);
  library.find("dwfl_module_build_id", calls.dwfl_module_build_id);
  library.find("dwfl_module_getdwarf", calls.dwfl_module_getdwarf);
  library.find("dwfl_module_addrdie", calls.dwfl_module_addrdie);
  library.find("dwfl_module_nextcu", calls.dwfl_module_nextcu);
  library.find("dwfl_module_getsymtab", calls.dwfl_module_getsymtab);
  library.find("dwfl_module_getsym_info", calls.dwfl_module_getsym_info);
  library.find("dwfl_errmsg", calls.dwfl_errmsg);
  library.find("dwarf_haspc", calls.dwarf_haspc);
  library.find("dwarf_child", calls.dwarf_child);
  library.find("dwarf_siblingof", calls.dwarf_siblingof);
  library.find("dwarf_tag", calls.dwarf_tag);
  library.find("dwarf_attr_integrate", calls.dwarf_attr_integrate);
  library.find("dwarf_formstring", calls.dwarf_formstring);
  library.find("dwarf_formudata", calls.dwarf_formudata);
  library.find("dwarf_getsrc_die", calls.dwarf_getsrc_die);
  library.find("dwarf_getsrclines", calls.dwarf_getsrclines);
  library.find("dwarf_onesrcline", calls.dwarf_onesrcline);
  library.find("dwarf_lineaddr", calls.dwarf_lineaddr);
  library.find("dwarf_lineendsequence", calls.dwarf_lineendsequence);
  library.find("dwarf_lowpc", calls.dwarf_lowpc);
  library.find("dwarf_linesrc", calls.dwarf_linesrc);
  library.find("dwarf_lineno", calls.dwarf_lineno);
  library.find("dwarf_getsrcfiles", calls.dwarf_getsrcfiles);
  library.find("dwarf_filesrc", calls.dwarf_filesrc);
  return library.has_all();
}

}  // namespace

const Libdw* libdw() {
  static Libdw calls;
  static const bool is_loaded = load(calls);
  return is_loaded ? &calls : nullptr;
}

}  // namespace nestbind::cli::source
