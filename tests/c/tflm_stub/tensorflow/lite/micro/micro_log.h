#pragma once
#if defined(TF_LITE_STRIP_ERROR_STRINGS)
#define MicroPrintf(...) ((void)sizeof(Ignored(__VA_ARGS__)))
template <typename... Args>
int Ignored(Args&&...);
#else
#include <cstdarg>
#include <cstdio>
/* Cuts at 255 characters and ends the line with CR LF, as the device does. */
inline void MicroPrintf(const char* format, ...) {
  char line[256];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  printf("%s\r\n", line);
}
#endif
