/* SPDX-License-Identifier: BSD-3-Clause */
/* balance WHAT...: what nestbind_balance answers (balance_lines.h). */
#include "balance_lines.h"

int main(int argc, char **argv) { return print_balanced(argc, argv); }
