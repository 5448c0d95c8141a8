# SPDX-License-Identifier: BSD-3-Clause
# nestbind::nestbind, what programs link, here and installed. A program that only wants its threads placed
# refers to nothing in the library, and the linker's --as-needed would drop it: this target keeps it. It also
# comes first, before the OpenMP runtime, wherever a target names it: options stand before objects and
# libraries. Among the libraries it is for the run path, for its headers, and for targets that hand on only
# what they link.
add_library(nestbind-for-programs INTERFACE)
add_library(nestbind::nestbind ALIAS nestbind-for-programs)
set_target_properties(nestbind-for-programs PROPERTIES EXPORT_NAME nestbind)
target_link_options(nestbind-for-programs INTERFACE
  "LINKER:--push-state,--no-as-needed,$<TARGET_FILE:$<TARGET_NAME:nestbind>>,--pop-state")
target_link_libraries(nestbind-for-programs INTERFACE
  "-Wl,--push-state,--no-as-needed" nestbind "-Wl,--pop-state")
