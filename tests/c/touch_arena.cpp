// The same header as in check_plan.c, in a unit of C++.
#include "kws.h"

extern "C" int touch_arena()
{
    kws_arena[KWS_INPUT0_OFFSET] = 42;
    return kws_plan.buffer_count == KWS_BUFFER_COUNT ? 42 : 0;
}
