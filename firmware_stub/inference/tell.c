#include "tell.h"

#include "../board/text.h"

static uint32_t points;
static uint32_t failures;

void tell_begin(void) {
    text_put("TAP version 13\n");
}

void tell_point(bool passed, const char *invocation, const char *operator, const char *text) {
    failures += passed ? 0u : 1u;
    text_put(passed ? "ok " : "not ok ");
    text_decimal(++points);
    text_put(" - ");
    text_put(invocation);
    text_put(*invocation != '\0' && *operator != '\0' ? ": " : "");
    text_put(operator);
    text_put(*operator != '\0' || *invocation != '\0' ? ": " : "");
    text_put(text);
    text_put("\n");
}

void tell_note(const tell_number_t *numbers, uint32_t count) {
    text_put("# @");
    for (uint32_t at = 0; at < count; ++at) {
        text_put(at > 0u ? " " : "");
        text_put(numbers[at].word);
        text_put(" ");
        text_decimal(numbers[at].number);
    }
    text_put("\n");
}

bool tell_end(void) {
    const tell_number_t end[] = {{"points", points}, {"failures", failures}};
    tell_note(end, 2u);
    text_put("1..");
    text_decimal(points);
    text_put("\n");
    return failures == 0u;
}
