# Two targets: newmarket::shared and newmarket::static.
get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET newmarket::shared)
  add_library(newmarket::shared SHARED IMPORTED)
  set_target_properties(newmarket::shared PROPERTIES
    IMPORTED_LOCATION "${_prefix}/lib/@SONAME@"
    IMPORTED_SONAME "@SONAME@"
    INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include")
  add_library(newmarket::static STATIC IMPORTED)
  set_target_properties(newmarket::static PROPERTIES
    IMPORTED_LOCATION "${_prefix}/lib/libnewmarket_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include"
    INTERFACE_LINK_LIBRARIES "m;pthread;dl")
endif()

unset(_prefix)
