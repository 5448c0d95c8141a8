// SPDX-License-Identifier: BSD-3-Clause
// The names of a user's files, which many processes of a job may share.
#pragma once

#include "support/text_buffer.hpp"

namespace nestbind::process {

// %p becomes the process, %h the host, %r the rank (told_rank(), otherwise rank_by_hand()), %% a
// per cent sign; another % stands for itself.
void expand_file_name(const char* name, support::TextBuffer& out);

}  // namespace nestbind::process
