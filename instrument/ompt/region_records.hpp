// SPDX-License-Identifier: BSD-3-Clause
// What is kept of regions and members while a second tool shares the data words.
#pragma once

#include "instrument/ompt/ompt_abi.hpp"
#include "team/fork.hpp"

namespace nestbind::ompt {

// Of a region: in the runtime's word for it, in all copies that the runtime makes of this word, and
// in a list of the thread that forked. Of a member's implicit task: in a list of its thread.
struct Record {
  team::Team* team;  // null: nobody was told
  Data second;       // the second tool's word
  Record* next;
};

// The calling thread forks a region, and joins it; regions nest on a thread. Which region ends is
// not taken from the word: LLVM's runtimes (14, 19) give GCC's programs one at the end that may be
// freed already, or another region's. Null without memory, and where none was forked.
Record* fork_record(Data* word);
Record* join_record();

// A record that join_record has given is no longer needed.
void release(Record* record);

// The record in the word of a region that is going on, made where there is none yet: the beginning
// of some is not reported, such as the initial one's. Null for a null word, and without memory.
Record* record_in(Data* word);

// The second tool's word in a record; some word, where there is none.
Data* second_word(Record* record);

// The calling thread begins and ends an implicit task; they nest on a thread too. At the end the
// region's word is null on most threads. Null: none was told, or none began.
void enter_member(team::Team* team);
team::Team* leave_member();

}  // namespace nestbind::ompt
