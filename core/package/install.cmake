# Installs the core for other projects: cmake --install BUILD --component core --prefix PREFIX.
include(InstallPackage)
set_target_properties(corewise_core PROPERTIES EXPORT_NAME core)
set_target_properties(corewise_amd_gpus PROPERTIES EXPORT_NAME amd_gpus)
cw_install_package(core TARGETS corewise_core corewise_amd_gpus)
cw_install_pkg_config(core corewise-core corewise-core)
install(DIRECTORY include/corewise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core)
