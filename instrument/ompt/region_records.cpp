// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/region_records.hpp"

#include <atomic>
#include <cstdlib>

namespace nestbind::ompt {

namespace {

// Records are never freed, because threads in the barrier may still read the record of an ended
// region.
struct Lists {
  Record* forks;
  Record* members;
  Record* unused;
};
constinit thread_local Lists t_lists __attribute__((tls_model("initial-exec"))) = {};

Record* pop(Record*& list) {
  Record* record = list;
  if (record != nullptr) {
    list = record->next;
  }
  return record;
}

void push(Record*& list, Record* record) {
  record->next = list;
  list = record;
}

Record* take() {
  Record* record = pop(t_lists.unused);
  if (record == nullptr) {
    record = static_cast<Record*>(std::malloc(sizeof *record));
  }
  if (record != nullptr) {
    *record = Record{};
  }
  return record;
}

}  // namespace

Record* fork_record(Data* word) {
  Record* record = take();
  word->ptr = record;
  if (record != nullptr) {
    push(t_lists.forks, record);
  }
  return record;
}

Record* join_record() { return pop(t_lists.forks); }

void release(Record* record) {
  if (record != nullptr) {
    push(t_lists.unused, record);
  }
}

Record* record_in(Data* word) {
  if (word == nullptr) {
    return nullptr;
  }
  const std::atomic_ref<void*> content(word->ptr);
  void* present = content.load(std::memory_order_acquire);
  if (present == nullptr) {
    // Several members may make the record at once.
    Record* made = take();
    if (made == nullptr || content.compare_exchange_strong(present, made)) {
      return made;
    }
    release(made);
  }
  return static_cast<Record*>(present);
}

Data* second_word(Record* record) {
  // If there is no memory for a record, all regions share this word.
  static constinit Data shared{0};
  return record != nullptr ? &record->second : &shared;
}

void enter_member(team::Team* team) {
  if (Record* record = take()) {
    record->team = team;
    push(t_lists.members, record);
  }
}

team::Team* leave_member() {
  Record* record = pop(t_lists.members);
  release(record);
  return record == nullptr ? nullptr : record->team;
}

}  // namespace nestbind::ompt
