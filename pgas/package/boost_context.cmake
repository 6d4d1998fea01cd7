# corewise::boost_context, which switches the runtime's fibers: for the build, and for projects that find the installed library.
if(NOT TARGET corewise::boost_context)
  find_path(CW_BOOST_CONTEXT_INCLUDE boost/context/detail/fcontext.hpp)
  find_library(CW_BOOST_CONTEXT boost_context)
  if(CW_BOOST_CONTEXT_INCLUDE AND CW_BOOST_CONTEXT)
    add_library(corewise::boost_context UNKNOWN IMPORTED)
    set_target_properties(corewise::boost_context PROPERTIES
      IMPORTED_LOCATION ${CW_BOOST_CONTEXT} INTERFACE_INCLUDE_DIRECTORIES ${CW_BOOST_CONTEXT_INCLUDE})
  endif()
endif()
