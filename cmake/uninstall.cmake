# SPDX-License-Identifier: BSD-3-Clause
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "${MANIFEST} does not exist: nothing was installed from this build folder")
endif()
file(STRINGS "${MANIFEST}" files)
foreach(file IN LISTS files)
  message(STATUS "Removing: $ENV{DESTDIR}${file}")
  file(REMOVE "$ENV{DESTDIR}${file}")
endforeach()

# Folders of nestbind's own that are empty now: those below one of its name.
foreach(file IN LISTS files)
  get_filename_component(folder "$ENV{DESTDIR}${file}" DIRECTORY)
  set(is_gone 0)
  while(is_gone EQUAL 0 AND folder MATCHES "/nestbind(/|$)")
    execute_process(COMMAND rmdir "${folder}" RESULT_VARIABLE is_gone OUTPUT_QUIET ERROR_QUIET)
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
endforeach()
