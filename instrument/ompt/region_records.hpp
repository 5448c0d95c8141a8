// SPDX-License-Identifier: BSD-3-Clause
// Records of regions and members, for a second tool that shares the data words.
#pragma once

#include "instrument/ompt/ompt_abi.hpp"
#include "team/fork.hpp"

namespace nestbind::ompt {

// The record of a region is in the runtime's word, in all the runtime's copies of it, and in a list
// of the forking thread. The record of a member's implicit task is in a list of its thread.
struct Record {
  team::Team* team;  // null: not reported
  Data second;       // the second tool's word
  Record* next;
};

// The calling thread forks and joins regions, which nest. join_record() does not use a region's
// word: at the end LLVM's runtimes (14, 19) give GCC's programs a word that may be freed, or
// another region's. Null: there is no memory, or no region was forked.
Record* fork_record(Data* word);
Record* join_record();

// Frees a record from join_record() for reuse.
void release(Record* record);

// The record of a running region, by its word. Made if it is missing, since some begins are not
// reported, such as the initial region's. Null: the word is null, or there is no memory.
Record* record_in(Data* word);

// The second tool's word in a record; for null, a shared word.
Data* second_word(Record* record);

// The calling thread begins and ends implicit tasks, which nest. At the end the region's word is
// null on most threads. leave_member() returns null if no fork was reported, or no task began.
void enter_member(team::Team* team);
team::Team* leave_member();

}  // namespace nestbind::ompt
