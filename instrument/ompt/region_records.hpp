// SPDX-License-Identifier: BSD-3-Clause
// If there is a second tool, each region and each implicit task has a record. The record contains
// the second tool's data word.
#pragma once

#include "instrument/ompt/ompt_abi.hpp"
#include "team/fork.hpp"

namespace nestbind::ompt {

// A region's ompt_data_t points to a Record. The forking thread keeps a list of its records.
struct Record {
  team::Team* team;  // null if the fork was not reported
  Data second;
  Record* next;
};

// join_record() returns the thread's innermost region. At the end, LLVM's runtimes (14, 19) give
// GCC's programs a wrong data word. So join_record() does not use this word. Both functions return
// null if there is no memory or if no region was forked.
Record* fork_record(Data* word);
Record* join_record();

void release(Record* record);

// Creates a record if the word is still empty. For example, the runtime does not report that the
// initial region begins. Returns null if `word` is null or if there is no memory.
Record* record_in(Data* word);

Data* second_word(Record* record);

// leave_member() does not use the region's word, because the word is null on most threads at the
// end. leave_member() returns the task's team. The result is null if the fork was not reported or
// if no task began.
void enter_member(team::Team* team);
team::Team* leave_member();

}  // namespace nestbind::ompt
