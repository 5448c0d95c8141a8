# SPDX-License-Identifier: BSD-3-Clause
# nestbind::nestbind, the target that programs link, in the build tree and installed. A program that only needs placement refers to
# nothing in the library, so the linker's --as-needed would drop it: this target keeps it. The library also comes before the OpenMP runtime,
# in any order of the targets: link options precede objects and libraries. Among the libraries it is listed again, for the run path, for its
# headers, and for targets that pass on only what they link.
add_library(nestbind-for-programs INTERFACE)
add_library(nestbind::nestbind ALIAS nestbind-for-programs)
set_target_properties(nestbind-for-programs PROPERTIES EXPORT_NAME nestbind)
target_link_options(nestbind-for-programs INTERFACE
  "LINKER:--push-state,--no-as-needed,$<TARGET_FILE:$<TARGET_NAME:nestbind>>,--pop-state")
target_link_libraries(nestbind-for-programs INTERFACE
  "-Wl,--push-state,--no-as-needed" nestbind "-Wl,--pop-state")
