# Installs the affinity library for outside projects: cmake --install BUILD --component affinity --prefix PREFIX.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/corewise-affinity)
set(made ${CMAKE_CURRENT_BINARY_DIR})

# An installed tree may be moved: everything is found from where the files lie.
file(RELATIVE_PATH CW_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(package/corewise-affinity.pc.in ${made}/corewise-affinity.pc @ONLY)
configure_file(package/corewise-affinity-config.cmake.in ${made}/corewise-affinity-config.cmake @ONLY)
write_basic_package_version_file(${made}/corewise-affinity-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS corewise-affinity EXPORT corewise-affinity LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT affinity
        NAMELINK_COMPONENT affinity)
install(EXPORT corewise-affinity NAMESPACE corewise:: FILE corewise-affinity-targets.cmake
        DESTINATION ${package} COMPONENT affinity)
install(FILES ${made}/corewise-affinity-config.cmake ${made}/corewise-affinity-config-version.cmake
        DESTINATION ${package} COMPONENT affinity)
install(FILES ${made}/corewise-affinity.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT affinity)
install(FILES include/corewise/affinity.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corewise COMPONENT affinity)
install(FILES man/corewise-affinity.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT affinity)
