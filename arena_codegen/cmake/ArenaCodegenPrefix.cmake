# C prefixes by the rules of the command line (names.py: c_prefix, check_prefix; a test holds the two together). CMake
# has to know the prefix before the tool runs, because the header's name and the macros of the generated file have it
# in them.

# True for a word that C or C++ keeps for itself. The list stands inside, since a variable out here would not be seen by
# directories that did not call find_package.
function(_arena_codegen_is_reserved result name)
  set(reserved
      # Keywords of C89 to C23
      auto break case char const continue default do double else enum extern float for goto if inline int long
      register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
      alignas alignof bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual
      # those that C++11 to C++20 add
      and and_eq asm bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept
      const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new
      noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template
      this throw try typeid typename using virtual wchar_t xor xor_eq)
  if("${name}" IN_LIST reserved)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The prefix for a model's file name; an empty string for a name that CMake cannot turn into one.
function(_arena_codegen_c_prefix result file)
  set(${result} "" PARENT_SCOPE)
  get_filename_component(stem "${file}" NAME)
  if(stem MATCHES "[^ -~]")
    return() # CMake cannot take accents off letters
  endif()
  string(TOLOWER "${stem}" lower)
  if(lower MATCHES "\\.(tflite|lite|fb|bin)$")
    string(LENGTH "${CMAKE_MATCH_0}" extension)
    string(LENGTH "${stem}" length)
    math(EXPR length "${length} - ${extension}")
    string(SUBSTRING "${stem}" 0 ${length} stem)
  endif()
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" name "${stem}")
  string(REGEX REPLACE "^_|_$" "" name "${name}")
  if(stem STREQUAL "")
    set(name model)
  elseif(name STREQUAL "")
    _arena_codegen_crc32(crc "${stem}")
    set(name "model_${crc}")
  elseif(name MATCHES "^[0-9]")
    set(name "model_${name}")
  endif()
  _arena_codegen_is_reserved(reserved "${name}")
  if(reserved)
    set(name "${name}_model")
  endif()
  set(limit 48)
  string(LENGTH "${name}" length)
  if(length GREATER limit)
    math(EXPR length "${limit} - 9")
    string(SUBSTRING "${name}" 0 ${length} name)
    string(REGEX REPLACE "_$" "" name "${name}")
    _arena_codegen_crc32(crc "${stem}")
    string(APPEND name "_${crc}")
  endif()
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

# True for a prefix that the command line takes.
function(_arena_codegen_is_prefix result name)
  _arena_codegen_is_reserved(reserved "${name}")
  if(name MATCHES "^[A-Za-z][A-Za-z0-9_]*$" AND NOT name MATCHES "_$|__" AND NOT reserved)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# zlib's CRC-32 of an ASCII text as eight hexadecimal digits; CMake has no command for it.
function(_arena_codegen_crc32 result text)
  string(HEX "${text}" hex)
  string(REGEX MATCHALL ".." bytes "${hex}")
  set(crc 0xFFFFFFFF)
  foreach(byte IN LISTS bytes)
    math(EXPR crc "${crc} ^ 0x${byte}")
    foreach(bit RANGE 7)
      math(EXPR crc "(${crc} >> 1) ^ (0xEDB88320 * (${crc} & 1))")
    endforeach()
  endforeach()
  math(EXPR crc "(${crc} ^ 0xFFFFFFFF) + 0x100000000" OUTPUT_FORMAT HEXADECIMAL) # the ninth digit keeps leading zeros
  string(SUBSTRING "${crc}" 3 8 crc)
  string(TOLOWER "${crc}" crc)
  set(${result} "${crc}" PARENT_SCOPE)
endfunction()
