# arena-codegen for CMake: the build plans the tensor arena of a TensorFlow Lite Micro model.
#
#   find_package(ArenaCodegen CONFIG REQUIRED)          # -DArenaCodegen_DIR=$(arena-codegen --cmake-dir)
#   arena_codegen_add_plan(kws_plan MODEL kws.tflite)   # every argument: ArenaCodegenAddPlan.cmake
#   target_link_libraries(firmware PRIVATE kws_plan)
#
# The tool is the first of these: ARENA_CODEGEN_EXECUTABLE (a program, or a list such as `python3;-m;arena_codegen`),
# the program that was installed together with this file, one in a virtual environment of the checkout, one on the
# PATH, the module beside this file run by python3. A toolchain file's root paths play no part: the tool runs on the
# host.
#
# Sets ARENA_CODEGEN_EXECUTABLE, ArenaCodegen_VERSION and ArenaCodegen_INCLUDE_DIR.

if(CMAKE_VERSION VERSION_LESS 3.20)
  set(ArenaCodegen_FOUND FALSE)
  set(ArenaCodegen_NOT_FOUND_MESSAGE "arena-codegen needs CMake 3.20, this is ${CMAKE_VERSION}")
  return()
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

# The absolute path of a program on the host, or an empty string. `hints` is a list of folders; ONLY_HINTS looks
# nowhere else.
function(_arena_codegen_find_program result names hints)
  set(where "")
  if("ONLY_HINTS" IN_LIST ARGN)
    set(where NO_DEFAULT_PATH)
  endif()
  unset(_arena_codegen_program CACHE)
  find_program(_arena_codegen_program NAMES ${names} HINTS ${hints} ${where} NO_CMAKE_FIND_ROOT_PATH)
  if(_arena_codegen_program)
    set(${result} "${_arena_codegen_program}" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
  unset(_arena_codegen_program CACHE) # a tool that moved is found again by the next configuration
endfunction()

# The command that the user asked for, with its program made absolute; an empty list where there is no such program.
function(_arena_codegen_given_tool result)
  set(command "${ARENA_CODEGEN_EXECUTABLE}")
  list(POP_FRONT command program)
  if(NOT IS_ABSOLUTE "${program}")
    _arena_codegen_find_program(program "${program}" "${CMAKE_SOURCE_DIR}")
  elseif(NOT EXISTS "${program}")
    set(program "")
  endif()
  if(program STREQUAL "")
    set(${result} "" PARENT_SCOPE)
  else()
    set(${result} "${program}" ${command})
    set(${result} "${${result}}" PARENT_SCOPE)
  endif()
endfunction()

# The command that belongs to this file, or an empty list. `package` is the folder of the Python package.
function(_arena_codegen_search_tool result package)
  set(beside
      "${package}/../../../../bin" # <prefix>/lib/python3.x/site-packages/arena_codegen
      "${package}/../../../Scripts" # <prefix>/Lib/site-packages/arena_codegen
      "${package}/../bin" # pip install --target
      "${package}/../build/venv/bin" # a checkout after `make tools`
      "${package}/../.venv/bin"
  )
  _arena_codegen_find_program(program arena-codegen "${beside}" ONLY_HINTS)
  if(NOT program)
    _arena_codegen_find_program(program arena-codegen "")
  endif()
  if(NOT program AND EXISTS "${package}/__main__.py")
    _arena_codegen_find_program(python "python3;python" "")
    if(python)
      get_filename_component(root "${package}/.." ABSOLUTE)
      if(DEFINED ENV{PYTHONPATH})
        string(APPEND root ":$ENV{PYTHONPATH}")
      endif()
      set(program "${CMAKE_COMMAND}" -E env "PYTHONPATH=${root}" "${python}" -m arena_codegen)
    endif()
  endif()
  set(${result} "${program}" PARENT_SCOPE)
endfunction()

# Asks the tool where its package is, because the files that it plans with need not be those beside this one.
function(_arena_codegen_ask_tool command own_package)
  execute_process(
    COMMAND ${command} --cmake-dir
    OUTPUT_VARIABLE answer ERROR_VARIABLE error RESULT_VARIABLE status
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
  set(package "${own_package}")
  if(status STREQUAL "0" AND IS_DIRECTORY "${answer}")
    get_filename_component(package "${answer}/.." ABSOLUTE)
  else()
    list(JOIN command " " shown)
    message(WARNING "arena-codegen does not answer (${status}): ${shown} --cmake-dir\n${answer}${error}\n"
                    "Set ARENA_CODEGEN_EXECUTABLE to the program that shall plan, e.g. <venv>/bin/arena-codegen.")
  endif()
  set(version "unknown")
  if(EXISTS "${package}/version.py")
    file(STRINGS "${package}/version.py" version REGEX "^VERSION = ")
    string(REGEX REPLACE "^VERSION = \"([^\"]*)\".*" "\\1" version "${version}")
  endif()

  # What makes the tool another one: its programs, and the file that every release changes.
  set(files "")
  foreach(file IN LISTS command ITEMS "${package}/version.py")
    if(IS_ABSOLUTE "${file}" AND EXISTS "${file}" AND NOT IS_DIRECTORY "${file}" AND NOT file STREQUAL CMAKE_COMMAND)
      list(APPEND files "${file}")
    endif()
  endforeach()

  # Properties, not variables: the function may be called from a directory that does not see this one's variables.
  set_property(GLOBAL PROPERTY ARENA_CODEGEN_COMMAND "${command}")
  set_property(GLOBAL PROPERTY ARENA_CODEGEN_FILES "${files}")
  set_property(GLOBAL PROPERTY ARENA_CODEGEN_VERSION "${version}")
  set_property(GLOBAL PROPERTY ARENA_CODEGEN_INCLUDE_DIR "${package}/include")
endfunction()

get_filename_component(_arena_codegen_package "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if(ARENA_CODEGEN_EXECUTABLE)
  _arena_codegen_given_tool(_arena_codegen_command)
  set(_arena_codegen_lack "ARENA_CODEGEN_EXECUTABLE is ${ARENA_CODEGEN_EXECUTABLE}: there is no such program")
else()
  _arena_codegen_search_tool(_arena_codegen_command "${_arena_codegen_package}")
  set(_arena_codegen_lack "no program arena-codegen was found; set ARENA_CODEGEN_EXECUTABLE, or put it on the PATH")
endif()

if(_arena_codegen_command)
  _arena_codegen_ask_tool("${_arena_codegen_command}" "${_arena_codegen_package}")
  set(ARENA_CODEGEN_EXECUTABLE "${_arena_codegen_command}")
  get_property(ArenaCodegen_INCLUDE_DIR GLOBAL PROPERTY ARENA_CODEGEN_INCLUDE_DIR)
  include("${CMAKE_CURRENT_LIST_DIR}/ArenaCodegenAddPlan.cmake")
  set(ArenaCodegen_FOUND TRUE)
  if(NOT ArenaCodegen_FIND_QUIETLY)
    get_property(_arena_codegen_shown GLOBAL PROPERTY ARENA_CODEGEN_VERSION)
    list(JOIN _arena_codegen_command " " _arena_codegen_command)
    message(STATUS "arena-codegen ${_arena_codegen_shown}: ${_arena_codegen_command}")
    unset(_arena_codegen_shown)
  endif()
else()
  set(ArenaCodegen_FOUND FALSE)
  set(ArenaCodegen_NOT_FOUND_MESSAGE "${_arena_codegen_lack}")
endif()
unset(_arena_codegen_command)
unset(_arena_codegen_package)
unset(_arena_codegen_lack)

cmake_policy(POP)
