// SPDX-License-Identifier: BSD-3-Clause
// Which instrumented region the calling thread is in: the descriptors that OPARI 1 generates.
#pragma once

// As pomp_lib.h declares it.
struct ompregdescr {
  char* name;
  char* sub_name;
  int num_sections;
  char* file_name;
  int begin_first_line;
  int begin_last_line;
  int end_first_line;
  int end_last_line;
  void* data;
  ompregdescr* next;
};

namespace nestbind::opari1 {

// The descriptor of a Fortran region; null where the program has no table, or no such number.
const ompregdescr* region_of(int number);

// A member's begin and end.
void enter_region(const ompregdescr* region);
void leave_region(const ompregdescr* region);

}  // namespace nestbind::opari1
