# Installs the affinity library for other projects: cmake --install BUILD --component affinity --prefix PREFIX.
include(InstallPackage)
cw_install_package(affinity TARGETS corewise-affinity)
cw_install_pkg_config(affinity corewise-affinity corewise-affinity)
install(FILES include/corewise/affinity.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corewise COMPONENT affinity)
install(FILES man/corewise-affinity.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT affinity)
