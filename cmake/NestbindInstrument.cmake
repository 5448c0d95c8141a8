# SPDX-License-Identifier: BSD-3-Clause
# nestbind_instrument(<target>... [OPARI1 [STATE <file>]] [OPARI <tool>])
#
# Instruments the OpenMP regions of the targets' own C, C++ and Fortran sources with OPARI2 or OPARI 1, and links the necessary libraries;
# see nestbind-instrument(1). The compiler and its options do not change. A target is an executable, or a library with sources to
# instrument. The generator must be Makefiles or Ninja. OPARI is the tool's name, or its path relative to the source folder. Without
# OPARI, all targets have the same tool: NESTBIND_OPARI names it, or it is found in the search path. STATE is OPARI 1's state file
# (default: opari.rc in the target's build folder). The targets of one program must share their state file.

find_program(NESTBIND_INSTRUMENT_COMMAND nestbind-instrument HINTS "${NESTBIND_BINARY_DIR}"
  DOC "The command that instruments and compiles")

function(nestbind_instrument)
  cmake_parse_arguments(PARSE_ARGV 0 arg "OPARI1" "STATE;OPARI" "")
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "nestbind_instrument: ${arg_KEYWORDS_MISSING_VALUES} needs a value")
  endif()
  if(NOT NESTBIND_INSTRUMENT_COMMAND)
    message(FATAL_ERROR "nestbind_instrument: nestbind-instrument is not found")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Make|Ninja")
    message(FATAL_ERROR "nestbind_instrument: the generator ${CMAKE_GENERATOR} is not supported")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "nestbind_instrument: no target")
  endif()
  foreach(target ${arg_UNPARSED_ARGUMENTS})
    if(NOT TARGET ${target})
      message(FATAL_ERROR "nestbind_instrument: ${target} is not a target")
    endif()
    set(launcher "${NESTBIND_INSTRUMENT_COMMAND}")
    if(arg_OPARI1)
      get_target_property(folder ${target} BINARY_DIR)
      set(state "${folder}/opari.rc")
      if(arg_STATE)
        get_filename_component(state "${arg_STATE}" ABSOLUTE BASE_DIR "${folder}")
      endif()
      string(APPEND launcher " --opari1 --rc ${state}")
    elseif(arg_STATE)
      message(FATAL_ERROR "nestbind_instrument: STATE needs OPARI1")
    endif()
    if(arg_OPARI)
      set(tool "${arg_OPARI}")
      if(tool MATCHES "/")
        get_filename_component(tool "${tool}" ABSOLUTE)
      endif()
      string(APPEND launcher " --opari ${tool}")
    endif()
    set_property(TARGET ${target} PROPERTY RULE_LAUNCH_COMPILE "${launcher}")
    set_property(TARGET ${target} PROPERTY RULE_LAUNCH_LINK "${launcher}")
  endforeach()
endfunction()
