// SPDX-License-Identifier: BSD-3-Clause
// Records of regions and members. They are for a second tool, which needs data words, too.
#pragma once

#include "instrument/ompt/ompt_abi.hpp"
#include "team/fork.hpp"

namespace nestbind::ompt {

// The runtime's word of a region, and all its copies of the word, point to the region's record. A
// list of the forking thread has the record, too. A thread has a list for its implicit tasks.
struct Record {
  team::Team* team;  // null: the fork was not reported
  Data second;       // the second tool's word
  Record* next;
};

// The calling thread forks and joins regions, which nest. join_record() takes the innermost region
// of the thread's list. The word cannot be used: at the end LLVM's runtimes (14, 19) give GCC's
// programs a word that may be freed, or another region's. Null: no memory, or no region was forked.
Record* fork_record(Data* word);
Record* join_record();

// Frees a record from join_record() for reuse.
void release(Record* record);

// The record of a running region, by its word. Makes a missing record: some begins, such as the
// initial region's, are not reported. Null: the word is null, or there is no memory.
Record* record_in(Data* word);

// The second tool's word in a record. If the record is null, a shared word.
Data* second_word(Record* record);

// The calling thread begins and ends implicit tasks, which nest. At the end the region's word is
// null on most threads, so it is not used. Null: no fork was reported, or no task began.
void enter_member(team::Team* team);
team::Team* leave_member();

}  // namespace nestbind::ompt
