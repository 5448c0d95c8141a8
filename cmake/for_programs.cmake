# SPDX-License-Identifier: BSD-3-Clause
# nestbind::nestbind, the target that programs link, in the build tree and in an installation. A program that only needs placement calls no
# function of the library, so the linker's --as-needed would drop the library: this target keeps it. The library must also come before the
# OpenMP runtime. So it is in the link options, which come before all objects and libraries. It is listed among the libraries, too: for the
# run path, for its headers, and for targets that pass on only the libraries that they link.
add_library(nestbind-for-programs INTERFACE)
add_library(nestbind::nestbind ALIAS nestbind-for-programs)
set_target_properties(nestbind-for-programs PROPERTIES EXPORT_NAME nestbind)
target_link_options(nestbind-for-programs INTERFACE
  "LINKER:--push-state,--no-as-needed,$<TARGET_FILE:$<TARGET_NAME:nestbind>>,--pop-state")
target_link_libraries(nestbind-for-programs INTERFACE
  "-Wl,--push-state,--no-as-needed" nestbind "-Wl,--pop-state")
