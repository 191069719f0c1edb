# Reads the version from trntensor/version.hpp, its only home, into TRNTENSOR_VERSION.

set(version_header ${CMAKE_CURRENT_LIST_DIR}/../trntensor/version.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
file(READ ${version_header} version_text)
if(NOT version_text MATCHES "define TRNTENSOR_VERSION \"([0-9]+\\.[0-9]+\\.[0-9]+)\"")
  message(FATAL_ERROR "no TRNTENSOR_VERSION of the form \"1.2.3\" in ${version_header}")
endif()
set(TRNTENSOR_VERSION ${CMAKE_MATCH_1})

# The three numbers are for the preprocessor, so they are written a second time; they may not drift.
set(version_numbers "")
foreach(part MAJOR MINOR PATCH)
  string(REGEX MATCH "define TRNTENSOR_VERSION_${part} ([0-9]+)" _ "${version_text}")
  list(APPEND version_numbers "${CMAKE_MATCH_1}")
endforeach()
list(JOIN version_numbers "." version_numbers)
if(NOT version_numbers STREQUAL TRNTENSOR_VERSION)
  message(FATAL_ERROR "${version_header}: TRNTENSOR_VERSION is ${TRNTENSOR_VERSION}, its numbers say ${version_numbers}")
endif()
