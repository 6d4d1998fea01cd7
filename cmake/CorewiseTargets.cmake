# Warnings and sanitizers for our own targets, tests that start threads, and the folders of the installed package.

set(CW_NATIVE_DIR ${CW_PACKAGE_DIR}/native)  # where the Python package has its programs and the preload libraries
# What runs in jobs is the component "runtime". It can be installed without Python (packaging/spack/packages/corewise-runtime).

function(cw_configure target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${CW_WERROR}>:-Werror>)
  if(CW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${CW_SANITIZE})
  endif()
endfunction()

# A test program: quick to compile for an optimised library.
function(cw_configure_test target)
  cw_configure(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# Tests that start threads have the label "threads"; the preset tsan builds these alone (target thread-tests) and runs them.
#   cw_thread_tests(TARGET)                every case of a GoogleTest program, as gtest_discover_tests() adds them
#   cw_thread_test(NAME TARGET [WORD...])  a program's start with these words, as add_test() adds it
add_custom_target(thread-tests)

function(cw_thread_tests target)
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS threads)
  add_dependencies(thread-tests ${target})
endfunction()

function(cw_thread_test name target)
  add_test(NAME ${name} COMMAND ${target} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS threads)
  add_dependencies(thread-tests ${target})
endfunction()
