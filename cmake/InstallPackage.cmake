# Installs a library for other projects. An installed tree can be moved: the files refer to each other by relative paths.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
file(RELATIVE_PATH CW_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)

# cw_install_package(NAME TARGETS target... [CMAKE_FILES file...]) installs the libraries and a CMake package corewise-NAME
# (from package/corewise-NAME-config.cmake.in) as the install component NAME. Other projects link them as
# corewise::EXPORT_NAME. The build target package-NAME builds the libraries.
function(cw_install_package name)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "TARGETS;CMAKE_FILES")
  add_custom_target(package-${name} DEPENDS ${given_TARGETS})
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/corewise-${name})
  set(made ${CMAKE_CURRENT_BINARY_DIR}/corewise-${name}-config)
  configure_file(package/corewise-${name}-config.cmake.in ${made}.cmake @ONLY)
  write_basic_package_version_file(${made}-version.cmake COMPATIBILITY SameMinorVersion)
  install(TARGETS ${given_TARGETS} EXPORT corewise-${name}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name} NAMELINK_COMPONENT ${name})
  install(EXPORT corewise-${name} NAMESPACE corewise:: FILE corewise-${name}-targets.cmake
          DESTINATION ${package} COMPONENT ${name})
  install(FILES ${made}.cmake ${made}-version.cmake ${given_CMAKE_FILES} DESTINATION ${package} COMPONENT ${name})
endfunction()

# cw_install_pkg_config(NAME TEMPLATE FILE) installs FILE.pc, from package/TEMPLATE.pc.in, in the component NAME.
function(cw_install_pkg_config name template file)
  configure_file(package/${template}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${file}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${name})
endfunction()
