# Warnings and sanitizers for our own targets, and the folders of the installed package.

set(CW_PACKAGE_DIR corewise)                 # Python package: extension module
set(CW_NATIVE_DIR ${CW_PACKAGE_DIR}/native)  # preload libraries, binder, micro-benchmarks

function(cw_configure target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${CW_WERROR}>:-Werror>)
  if(CW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${CW_SANITIZE})
  endif()
endfunction()
