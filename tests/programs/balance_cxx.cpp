// SPDX-License-Identifier: BSD-3-Clause
// balance.c in C++.
#include "balance_lines.h"

int main(int argc, char** argv) { return print_balanced(argc, argv); }
