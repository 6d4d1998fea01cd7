# Warnings and sanitizers for our own targets, tests that start threads, and the folders of the installed package.

# The Python package's folder for programs and preload libraries. Files that run inside jobs belong to the install component
# "runtime", which can be installed without Python (packaging/spack/packages/corewise-runtime).
set(CW_NATIVE_DIR ${CW_PACKAGE_DIR}/native)

function(cw_configure target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${CW_WERROR}>:-Werror>)
  if(CW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${CW_SANITIZE})
  endif()
endfunction()

# Test programs are compiled with -O0, which is faster, whatever the library is compiled with.
function(cw_configure_test target)
  cw_configure(${target})
  target_compile_options(${target} PRIVATE -O0)
endfunction()

# Tests that start threads get the label "threads". The preset tsan builds (target thread-tests) and runs only these.
#   cw_thread_tests(TARGET)                    adds every case of a GoogleTest program
#   cw_thread_test(NAME TARGET [ARGUMENT...])  adds one run of a program with these arguments
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
