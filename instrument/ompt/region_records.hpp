// SPDX-License-Identifier: BSD-3-Clause
// Records of regions and implicit tasks, for a second tool, which needs data words, too.
#pragma once

#include "instrument/ompt/ompt_abi.hpp"
#include "team/fork.hpp"

namespace nestbind::ompt {

// The record of a region or of an implicit task. The runtime's data word of a region points to the
// region's record. The forking thread also has the record in its list of regions. Each thread has
// another list for its implicit tasks.
struct Record {
  team::Team* team;  // null if the fork was not reported
  Data second;       // the second tool's word
  Record* next;
};

// Called when the calling thread forks a region, and when the region ends. The innermost region
// ends first, so join_record() returns this region. It does not use the region's word: at the end
// LLVM's runtimes (14, 19) give GCC's programs a freed word or another region's word.
// Both functions return null if there is no memory or if no region was forked.
Record* fork_record(Data* word);
Record* join_record();

// Frees a record from join_record() for reuse.
void release(Record* record);

// Returns the record of a running region, by the region's word. Makes a missing record, because
// some begins, such as the initial region's, are not reported. Returns null if the word is null or
// if there is no memory.
Record* record_in(Data* word);

// Returns the second tool's word in the record, or a shared word if the record is null.
Data* second_word(Record* record);

// Called when the calling thread begins and ends an implicit task. Tasks nest. leave_member() does
// not use the region's word, which is null on most threads at the end. leave_member() returns the
// task's team, or null if the fork was not reported or no task began.
void enter_member(team::Team* team);
team::Team* leave_member();

}  // namespace nestbind::ompt
