# Toolchain file for bare-metal Arm with GCC: cmake -DCMAKE_TOOLCHAIN_FILE=.../arm-none-eabi.cmake
#
# It names the compilers and nothing else: flags of a core or a board belong to targets. ARM_TOOLCHAIN_DIR says where the
# compilers are when they are not on the PATH.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)

find_program(ARM_NONE_EABI_GCC arm-none-eabi-gcc HINTS ${ARM_TOOLCHAIN_DIR} REQUIRED)
find_program(ARM_NONE_EABI_GXX arm-none-eabi-g++ HINTS ${ARM_TOOLCHAIN_DIR})
set(CMAKE_C_COMPILER ${ARM_NONE_EABI_GCC})
set(CMAKE_ASM_COMPILER ${ARM_NONE_EABI_GCC})
if(ARM_NONE_EABI_GXX)
  set(CMAKE_CXX_COMPILER ${ARM_NONE_EABI_GXX})
endif()

# The compiler test must not link: there is no start-up code yet.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARM_TOOLCHAIN_DIR)

# Programs of the host (Python, arena-codegen), libraries and packages of the target.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
