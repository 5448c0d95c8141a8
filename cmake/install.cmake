# SPDX-License-Identifier: BSD-3-Clause
# Installs the libraries, the headers, and the package files for find_package and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS nestbind nestbind-for-programs EXPORT nestbind-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT development)
set(nestbind_beside nestbind-planner nestbind-topology nestbind-memory)
if(TARGET nestbind-scotch)
  list(APPEND nestbind_beside nestbind-scotch)
endif()
foreach(family openmpi mpich)
  if(TARGET nestbind-mpi-${family})
    list(APPEND nestbind_beside nestbind-mpi-${family})
  endif()
endforeach()
install(TARGETS ${nestbind_beside}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${NESTBIND_PLANNER_SUBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/${NESTBIND_PLANNER_SUBDIR})
# The plugin is a separate component: `cmake --install BUILD --component slurm` installs only the plugin, once for each release of Slurm.
if(TARGET nestbind-slurm)
  install(TARGETS nestbind-slurm COMPONENT slurm LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${NESTBIND_PLANNER_SUBDIR})
endif()
install(DIRECTORY include/nestbind COMPONENT development DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.f90")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES docs/guide.md docs/coming-from.md docs/how-it-works.md docs/pictures.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY docs/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY examples COMPONENT development DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(NESTBIND_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/nestbind)
install(EXPORT nestbind-targets NAMESPACE nestbind:: FILE nestbind-library.cmake COMPONENT development
  DESTINATION ${NESTBIND_CMAKE_DIR})
configure_package_config_file(cmake/nestbind-config.cmake.in ${PROJECT_BINARY_DIR}/nestbind-config.cmake
  INSTALL_DESTINATION ${NESTBIND_CMAKE_DIR} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nestbind-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nestbind-config.cmake
  ${PROJECT_BINARY_DIR}/nestbind-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/NestbindInstrument.cmake COMPONENT development DESTINATION ${NESTBIND_CMAKE_DIR})

# The file for pkg-config has only relative paths, so an installation can be moved.
file(RELATIVE_PATH NESTBIND_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" NESTBIND_PREFIX_FROM_PC "${NESTBIND_PREFIX_FROM_PC}")
configure_file(cmake/nestbind.pc.in ${PROJECT_BINARY_DIR}/nestbind.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nestbind.pc COMPONENT development DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -D FOLDER=${PROJECT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
  COMMENT "Removing the files that cmake --install has written")

configure_file(packaging/nestbind.modulefile ${PROJECT_BINARY_DIR}/nestbind.modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nestbind.modulefile DESTINATION ${CMAKE_INSTALL_DATADIR}/nestbind/modulefiles/nestbind
  RENAME ${PROJECT_VERSION})
