# SPDX-License-Identifier: BSD-3-Clause
# CPack runs this file for each generator, after it has installed the files and before it makes the package.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
foreach(component nestbind development slurm)
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/${component})
  if(NOT EXISTS ${folder})
    continue()
  endif()
  string(TOUPPER ${component} part)
  set(documents ${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc/${CPACK_DEBIAN_${part}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${documents})
  configure_file(${CPACK_RESOURCE_FILE_LICENSE} ${documents}/copyright COPYONLY)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH if it is set
  file(WRITE ${documents}/changelog "nestbind (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * The changes are in CHANGELOG.md of the source.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB_RECURSE pages LIST_DIRECTORIES false ${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/share/man/*)
  execute_process(COMMAND gzip -9n ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
