# Installs the runtime for outside projects: cmake --install BUILD --component pgas --prefix PREFIX, after the component affinity.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/corewise-pgas)
set(made ${CMAKE_CURRENT_BINARY_DIR})

# An installed tree may be moved: everything is found from where the files lie.
file(RELATIVE_PATH CW_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(package/corewise-pgas-config.cmake.in ${made}/corewise-pgas-config.cmake @ONLY)
write_basic_package_version_file(${made}/corewise-pgas-config-version.cmake COMPATIBILITY SameMinorVersion)

set(libraries corewise_pgas)
foreach(transport ${CW_PGAS_TRANSPORTS})
  list(APPEND libraries corewise_pgas_${transport})
  set_target_properties(corewise_pgas_${transport} PROPERTIES EXPORT_NAME pgas_${transport})
  list(JOIN CW_MPI_LINK_${transport} " " mpi_flags)
  configure_file(package/corewise-pgas.pc.in ${made}/corewise-pgas-${transport}.pc @ONLY)
  install(FILES ${made}/corewise-pgas-${transport}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT pgas)
endforeach()
set_target_properties(corewise_pgas PROPERTIES EXPORT_NAME pgas)
install(TARGETS ${libraries} EXPORT corewise-pgas ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT pgas)
install(EXPORT corewise-pgas NAMESPACE corewise:: FILE corewise-pgas-targets.cmake DESTINATION ${package} COMPONENT pgas)
install(FILES ${made}/corewise-pgas-config.cmake ${made}/corewise-pgas-config-version.cmake package/boost_context.cmake
        DESTINATION ${package} COMPONENT pgas)
install(DIRECTORY include/corewise/pgas DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corewise COMPONENT pgas)
