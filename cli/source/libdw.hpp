// SPDX-License-Identifier: BSD-3-Clause
// The functions of elfutils' libdw, which is loaded on first use.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace nestbind::cli::source {

struct Libdw {
  decltype(&::dwfl_begin) dwfl_begin;
  decltype(&::dwfl_end) dwfl_end;
  decltype(&::dwfl_report_begin) dwfl_report_begin;
  decltype(&::dwfl_report_offline) dwfl_report_offline;
  decltype(&::dwfl_report_end) dwfl_report_end;
  decltype(&::dwfl_report_elf) dwfl_report_elf;
  decltype(&::dwfl_attach_state) dwfl_attach_state;
  decltype(&::dwfl_getthread_frames) dwfl_getthread_frames;
  decltype(&::dwfl_thread_state_registers) dwfl_thread_state_registers;
  decltype(&::dwfl_thread_state_register_pc) dwfl_thread_state_register_pc;
  decltype(&::dwfl_frame_pc) dwfl_frame_pc;
  decltype(&::dwfl_addrmodule) dwfl_addrmodule;
  decltype(&::dwfl_module_info) dwfl_module_info;
  decltype(&::dwfl_module_addrinfo) dwfl_module_addrinfo;
  decltype(&::dwfl_build_id_find_elf) dwfl_build_id_find_elf;
  decltype(&::dwfl_standard_find_debuginfo) dwfl_standard_find_debuginfo;
  decltype(&::dwfl_offline_section_address) dwfl_offline_section_address;
  decltype(&::dwfl_module_getelf) dwfl_module_getelf;
  decltype(&::dwfl_module_build_id) dwfl_module_build_id;
  decltype(&::dwfl_module_getdwarf) dwfl_module_getdwarf;
  decltype(&::dwfl_module_addrdie) dwfl_module_addrdie;
  decltype(&::dwfl_module_nextcu) dwfl_module_nextcu;
  decltype(&::dwfl_module_getsymtab) dwfl_module_getsymtab;
  decltype(&::dwfl_module_getsym_info) dwfl_module_getsym_info;
  decltype(&::dwfl_errmsg) dwfl_errmsg;
  decltype(&::dwarf_haspc) dwarf_haspc;
  decltype(&::dwarf_child) dwarf_child;
  decltype(&::dwarf_siblingof) dwarf_siblingof;
  decltype(&::dwarf_tag) dwarf_tag;
  decltype(&::dwarf_attr_integrate) dwarf_attr_integrate;
  decltype(&::dwarf_formstring) dwarf_formstring;
  decltype(&::dwarf_formudata) dwarf_formudata;
  decltype(&::dwarf_getsrc_die) dwarf_getsrc_die;
  decltype(&::dwarf_getsrclines) dwarf_getsrclines;
  decltype(&::dwarf_onesrcline) dwarf_onesrcline;
  decltype(&::dwarf_lineaddr) dwarf_lineaddr;
  decltype(&::dwarf_lineendsequence) dwarf_lineendsequence;
  decltype(&::dwarf_lowpc) dwarf_lowpc;
  decltype(&::dwarf_linesrc) dwarf_linesrc;
  decltype(&::dwarf_lineno) dwarf_lineno;
  decltype(&::dwarf_getsrcfiles) dwarf_getsrcfiles;
  decltype(&::dwarf_filesrc) dwarf_filesrc;
};

// Returns null if libdw cannot be loaded or lacks a function. libdw stays loaded.
const Libdw* libdw();

}  // namespace nestbind::cli::source
