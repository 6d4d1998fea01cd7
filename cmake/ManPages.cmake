# Man pages and shell completion scripts, generated during the build from the Click commands.

set(CW_MAN_PAGES ${CMAKE_CURRENT_LIST_DIR}/man_pages.py)

# cw_man_pages(PACKAGE FOLDER) generates and installs a page for each command of the Python package PACKAGE, whose modules
# are in FOLDER; for the tool also the completion scripts. A wheel installs them into share/ next to the environment's bin,
# where man finds them.
function(cw_man_pages package folder)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import click, msgspec" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    message(STATUS "man pages of ${package}: left out, because ${Python_EXECUTABLE} has no click or no msgspec")
    return()
  endif()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/share)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.py)
  add_custom_command(
    OUTPUT ${made}.stamp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}
    COMMAND ${Python_EXECUTABLE} ${CW_MAN_PAGES} ${made} ${package}
    COMMAND ${CMAKE_COMMAND} -E touch ${made}.stamp
    DEPENDS ${CW_MAN_PAGES} ${sources}
    COMMENT "Writing the man pages of ${package}"
    VERBATIM)
  add_custom_target(man-pages-${package} ALL DEPENDS ${made}.stamp)
  if(CW_PYTHON)
    set(share ${SKBUILD_DATA_DIR}/share)
  else()
    include(GNUInstallDirs)
    set(share ${CMAKE_INSTALL_DATAROOTDIR})
  endif()
  install(DIRECTORY ${made}/ DESTINATION ${share} COMPONENT man)
endfunction()
