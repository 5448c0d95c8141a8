# SPDX-License-Identifier: BSD-3-Clause
# nestbind::nestbind, the target that programs link. The linker's --as-needed drops a library to
# which a program does not refer, but this target keeps the library. The library must come before
# the OpenMP runtime. So the library is in the link options, which come before all objects and
# libraries. target_link_libraries() gives programs the run path and the headers. Some targets pass
# on only their libraries, so the library is in both lists.
add_library(nestbind-for-programs INTERFACE)
add_library(nestbind::nestbind ALIAS nestbind-for-programs)
set_target_properties(nestbind-for-programs PROPERTIES EXPORT_NAME nestbind)
target_link_options(nestbind-for-programs INTERFACE
  "LINKER:--push-state,--no-as-needed,$<TARGET_FILE:$<TARGET_NAME:nestbind>>,--pop-state")
target_link_libraries(nestbind-for-programs INTERFACE
  "-Wl,--push-state,--no-as-needed" nestbind "-Wl,--pop-state")
