# arena_codegen_add_plan(<target> MODEL <file> …): a library that holds the plan of a model.
#
#   MODEL file.tflite    the model that is planned
#   PREFIX name          C prefix of every symbol; default: the model's file name made an identifier
#   OUTPUT plan.h        the header; default: arena_codegen/<target>/<prefix>_plan.h
#   JSON, HTML, SVG f    the same plan as data, as a page, as a picture
#   METADATA f.tflite    a copy of the model that carries the plan
#   REQUESTS f           buffer requests as a device printed them
#   DEPENDS …            further files or targets that make the plan anew
#   NO_ARENA             the application brings the buffer
#   OPTIONS …            options of the command line, as they are; generator expressions are welcome
#
# Inputs are relative to the source directory, outputs to the binary directory. <target> is a STATIC library with one
# generated file, which defines the plan and the arena; its include path reaches all who link it, and nobody is compiled
# before the header is there. `<target>_header` makes the tool's files alone; rules that read them depend on it.
#
# How a plan is known to be up to date. The tool leaves files alone whose bytes do not change, so that an equal plan
# compiles nothing. Ninja reads that as it is meant (restat), and the header is the rule's output. Make would plan
# again for ever, so there the output is a stamp, and a small check before it brings back files that were deleted.

include("${CMAKE_CURRENT_LIST_DIR}/ArenaCodegenPrefix.cmake")

function(arena_codegen_add_plan target)
  set(written OUTPUT JSON HTML SVG METADATA)
  set(single MODEL PREFIX REQUESTS ${written})
  cmake_parse_arguments(PARSE_ARGV 1 plan "NO_ARENA" "${single}" "DEPENDS;OPTIONS")
  _arena_codegen_check_call()
  _arena_codegen_input(model "${plan_MODEL}")
  _arena_codegen_prefix(prefix)
  string(TOUPPER "${prefix}" macro)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/arena_codegen/${target}")
  set(private "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/arena_codegen/${target}")
  if(NOT DEFINED plan_OUTPUT)
    set(plan_OUTPUT "${folder}/${prefix}_plan.h")
  endif()

  get_property(command GLOBAL PROPERTY ARENA_CODEGEN_COMMAND)
  get_property(depends GLOBAL PROPERTY ARENA_CODEGEN_FILES)
  list(APPEND command "${model}" --prefix "${prefix}" --depfile "${private}/plan.d")
  list(APPEND depends "${model}" "${private}/command.txt")
  _arena_codegen_outputs(files folders)
  list(GET files 0 header)
  if(DEFINED plan_REQUESTS)
    _arena_codegen_input(requests "${plan_REQUESTS}")
    list(APPEND command --requests "${requests}")
    list(APPEND depends "${requests}")
  endif()
  _arena_codegen_add_depends()
  _arena_codegen_add_options()

  if(CMAKE_GENERATOR MATCHES "Makefiles")
    set(stamp "${private}/plan.stamp")
    list(APPEND command --stamp "${stamp}")
    set(outputs OUTPUT "${stamp}" BYPRODUCTS ${files})
    set(goal "${stamp}")
  else()
    set(outputs OUTPUT ${files})
    set(goal "${files}")
  endif()
  get_filename_component(model_name "${model}" NAME)
  get_filename_component(header_name "${header}" NAME)
  add_custom_command(
    ${outputs}
    COMMAND "${CMAKE_COMMAND}" -E make_directory ${folders}
    COMMAND ${command}
    DEPENDS ${depends}
    DEPFILE "${private}/plan.d"
    COMMENT "Planning the arena of ${model_name}: ${header_name}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target}_header DEPENDS ${goal})
  if(CMAKE_GENERATOR MATCHES "Makefiles")
    add_custom_target(
      ${target}_check
      COMMAND "${CMAKE_COMMAND}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ArenaCodegenForget.cmake" "${stamp}" ${files}
      VERBATIM)
    add_dependencies(${target}_header ${target}_check)
  endif()

  # Make does not see that a command changed; a file that holds it does, for every generator.
  get_property(version GLOBAL PROPERTY ARENA_CODEGEN_VERSION)
  list(JOIN command "\n" command)
  file(GENERATE OUTPUT "${private}/command.txt" CONTENT "arena-codegen ${version}\n${command}\n")
  _arena_codegen_add_library()
endfunction()

# The library around `header`: one file, written as C where the project has C.
function(_arena_codegen_add_library)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("C" IN_LIST languages)
    set(name "${prefix}_plan.c")
  elseif("CXX" IN_LIST languages)
    set(name "${prefix}_plan.cpp")
  else()
    _arena_codegen_fail("the project has neither C nor C++: project(… LANGUAGES C)")
  endif()
  # The header is included by its name: the compiler then reports the relative path by which Ninja knows it, and CMake
  # before 3.21 knows no other. Its folder comes first, so that no other header of that name is found.
  file(GENERATE OUTPUT "${private}/${name}" CONTENT
"/* Written by arena_codegen_add_plan(${target}): the one place that defines ${prefix}_plan and ${prefix}_arena. */
#define ${macro}_PLAN_IMPLEMENTATION
#include \"${header_name}\"
")
  add_custom_command(
    OUTPUT "${folder}/${name}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${private}/${name}" "${folder}/${name}"
    DEPENDS "${private}/${name}"
    COMMENT "Copying ${name}" VERBATIM)
  add_library(${target} STATIC "${folder}/${name}")
  add_dependencies(${target} ${target}_header)
  get_filename_component(header_folder "${header}" DIRECTORY)
  get_property(include GLOBAL PROPERTY ARENA_CODEGEN_INCLUDE_DIR)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${include}>")
  target_include_directories(${target} BEFORE PUBLIC "$<BUILD_INTERFACE:${header_folder}>")
  if(plan_NO_ARENA)
    target_compile_definitions(${target} PUBLIC ${macro}_PLAN_NO_ARENA)
  endif()
endfunction()

# Stops with what is wrong with the call; the functions below see the variables of the one above.
function(_arena_codegen_fail text)
  message(FATAL_ERROR "arena_codegen_add_plan(${target}): ${text}")
endfunction()

function(_arena_codegen_check_call)
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    _arena_codegen_fail("the generator ${CMAKE_GENERATOR} is not supported: cmake -G Ninja, or -G \"Unix Makefiles\"")
  endif()
  if(DEFINED plan_UNPARSED_ARGUMENTS)
    list(JOIN plan_UNPARSED_ARGUMENTS " " text)
    _arena_codegen_fail("unknown arguments: ${text}\noptions of the command line come after OPTIONS")
  endif()
  foreach(name IN LISTS plan_KEYWORDS_MISSING_VALUES)
    if(name IN_LIST single)
      _arena_codegen_fail("${name} has no value")
    endif()
  endforeach()
  if(NOT DEFINED plan_MODEL)
    _arena_codegen_fail("no MODEL given: arena_codegen_add_plan(${target} MODEL kws.tflite)")
  endif()
  foreach(name IN LISTS single)
    if("${plan_${name}}" MATCHES "\\$<")
      _arena_codegen_fail("${name} takes no generator expression: ${plan_${name}}")
    endif()
  endforeach()
  foreach(name IN ITEMS "${target}" "${target}_header" "${target}_check")
    if(TARGET "${name}")
      _arena_codegen_fail("there is a target ${name} already")
    endif()
  endforeach()
endfunction()

# The absolute path of an input. One that the source tree lacks and no rule makes is an error now; an absolute path
# may be made by a rule that comes later.
function(_arena_codegen_input result path)
  get_filename_component(absolute "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT EXISTS "${absolute}" AND NOT IS_ABSOLUTE "${path}")
    get_source_file_property(generated "${absolute}" GENERATED)
    if(NOT generated)
      _arena_codegen_fail("there is no file ${absolute}\na file that the build makes is given as an absolute path")
    endif()
  endif()
  set(${result} "${absolute}" PARENT_SCOPE)
endfunction()

# The prefix that was given, or the one that the command line makes from the model's name.
function(_arena_codegen_prefix result)
  if(DEFINED plan_PREFIX)
    _arena_codegen_is_prefix(legal "${plan_PREFIX}")
    if(NOT legal)
      _arena_codegen_c_prefix(example "${plan_PREFIX}")
      if(example)
        set(example "; for example PREFIX ${example}")
      endif()
      _arena_codegen_fail("PREFIX ${plan_PREFIX} is no C identifier, or one that C or C++ reserve${example}")
    endif()
    set(${result} "${plan_PREFIX}" PARENT_SCOPE)
    return()
  endif()
  _arena_codegen_c_prefix(prefix "${model}")
  if(prefix STREQUAL "")
    get_filename_component(name "${model}" NAME)
    _arena_codegen_fail("PREFIX is needed: CMake cannot make a C name from ${name}")
  endif()
  set(${result} "${prefix}" PARENT_SCOPE)
endfunction()

# Adds every output's option to `command`; `files` begins with the header, `folders` is where they lie.
function(_arena_codegen_outputs files_result folders_result)
  set(files "")
  set(folders "")
  foreach(name IN LISTS written)
    if(DEFINED plan_${name})
      get_filename_component(file "${plan_${name}}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
      get_property(owner GLOBAL PROPERTY "ARENA_CODEGEN_OWNER:${file}")
      if(owner)
        _arena_codegen_fail("${name} ${file} is an output of ${owner} already")
      endif()
      set_property(GLOBAL PROPERTY "ARENA_CODEGEN_OWNER:${file}" "${target}")
      string(TOLOWER "--${name}" option)
      list(APPEND command "${option}" "${file}")
      list(APPEND files "${file}")
      get_filename_component(file "${file}" DIRECTORY)
      list(APPEND folders "${file}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(command "${command}" PARENT_SCOPE)
  set(${files_result} "${files}" PARENT_SCOPE)
  set(${folders_result} "${folders}" PARENT_SCOPE)
endfunction()

# DEPENDS names targets, or files of the source directory. What is neither yet is left for CMake to resolve.
function(_arena_codegen_add_depends)
  foreach(name IN LISTS plan_DEPENDS)
    if(NOT TARGET "${name}" AND NOT IS_ABSOLUTE "${name}" AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
      set(name "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
    endif()
    list(APPEND depends "${name}")
  endforeach()
  set(depends "${depends}" PARENT_SCOPE)
endfunction()

# OPTIONS reach the tool as they are: spaces, and semicolons (tensor names have them), stay inside one argument. An
# option that names a file would escape the rule's dependencies, and is an argument of the function instead.
function(_arena_codegen_add_options)
  foreach(option IN LISTS plan_OPTIONS)
    if(option MATCHES "^--(output|json|html|svg|metadata|requests|prefix)(=|$)")
      string(TOUPPER "${CMAKE_MATCH_1}" name)
      list(FIND plan_OPTIONS "${option}" at)
      math(EXPR at "${at} + 1")
      list(LENGTH plan_OPTIONS count)
      set(value "...")
      if(option MATCHES "=(.+)$")
        set(value "${CMAKE_MATCH_1}")
      elseif(at LESS count)
        list(GET plan_OPTIONS ${at} value)
      endif()
      _arena_codegen_fail("OPTIONS ${option}: use the argument ${name} ${value}, so that the build knows it")
    elseif(option MATCHES "^(-o|--depfile|--stamp)")
      _arena_codegen_fail("OPTIONS ${option}: the function sets it itself (OUTPUT names the header)")
    endif()
    string(REPLACE ";" "\\\\;" option "${option}")
    list(APPEND command "${option}")
  endforeach()
  set(command "${command}" PARENT_SCOPE)
endfunction()
