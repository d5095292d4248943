# Finds the output of scripts/setup, and fails with a message if it has not been run. Sets SWIFT, openvino_libraries,
# model_files, and model_files_optional: those that are installed separately.

set(FACEVERIFY_DEPENDENCIES ${PROJECT_SOURCE_DIR}/.deps CACHE PATH "Folder of scripts/setup: pkgconfig, openvino")
set(FACEVERIFY_MODELS ${PROJECT_SOURCE_DIR}/models CACHE PATH "Folder with manifest.json and the models")

set(advice "Run scripts/setup first: it makes all that is needed, and says what is wrong when it cannot")

find_program(SWIFT swift DOC "Swift 6.3 or later")
if(NOT SWIFT)
  message(FATAL_ERROR "swift is not on PATH: install Swift 6.3 or later from https://www.swift.org/install/linux, "
    "then run scripts/setup")
endif()

set(manifest ${FACEVERIFY_MODELS}/manifest.json)
set(pkg_config_file ${FACEVERIFY_DEPENDENCIES}/pkgconfig/faceverify-deps.pc)
foreach(file ${manifest} ${pkg_config_file})
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${file} is missing. ${advice}")
  endif()
endforeach()
file(READ ${manifest} manifest)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FACEVERIFY_MODELS}/manifest.json)

# named_files(OUT KEYS...): the "file" of each object in the array at these keys of the manifest; those with a URL in
# OUT_optional
function(named_files out)
  set(files)
  set(optional)
  string(JSON count LENGTH ${manifest} ${ARGN})
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON file GET ${manifest} ${ARGN} ${index} file)
    string(JSON url ERROR_VARIABLE none GET ${manifest} ${ARGN} ${index} source url)
    if(url)
      list(APPEND optional ${file})
    else()
      list(APPEND files ${file})
    endif()
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
  set(${out}_optional ${optional} PARENT_SCOPE)
endfunction()

named_files(model_files models)
list(APPEND model_files manifest.json README.md fetch.py)
list(TRANSFORM model_files PREPEND ${FACEVERIFY_MODELS}/)
list(TRANSFORM model_files_optional PREPEND ${FACEVERIFY_MODELS}/)
named_files(openvino_libraries runtime files)
list(FILTER openvino_libraries INCLUDE REGEX "^lib/")
list(TRANSFORM openvino_libraries PREPEND ${FACEVERIFY_DEPENDENCIES}/openvino/)
foreach(file ${model_files} ${openvino_libraries})
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${file} is missing. ${advice}")
  endif()
endforeach()
