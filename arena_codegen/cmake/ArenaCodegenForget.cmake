# cmake -P ArenaCodegenForget.cmake STAMP FILE…      removes the stamp where one of the files that it speaks for is gone
#
# Make looks at the stamp alone: without this, a header that somebody deleted would not come back.

set(stamp "${CMAKE_ARGV3}")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE 4 ${last})
  if(NOT EXISTS "${CMAKE_ARGV${index}}")
    file(REMOVE "${stamp}")
  endif()
endforeach()
