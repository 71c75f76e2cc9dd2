/* TAP version 13 on the UART. Lines that begin with `# @` are for programs:
 *   # @damage plan P pass N victim V by C byte B at PLACE
 *         V was overwritten at arena byte B by C (-1: by nobody that the plan knows); found at PLACE; follows its `not ok`
 *   # @high-water plan P used U planned N
 *   # @plan P points T failures F                ends a plan
 */
#ifndef ARENA_REPORT_H
#define ARENA_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#define REPORT_NOBODY UINT32_MAX

void report_begin(void);
/* From here on points belong to a plan; a quiet one prints its failures only. */
void report_plan(uint32_t number, bool quiet);
void report_plan_end(uint32_t used, uint32_t planned);
/* Prints `1..N`; true where no point failed. */
bool report_end(void);

/* Opens a point's line, up to the dash; the caller puts the text and closes it. False where the line is not to be printed. */
bool report_point(bool passed);
void report_close(void);

void report_buffer(uint32_t index); /* 'conv1/out' [512, 1024) */
void report_place(const char *place, int32_t scope);

/* A failed point: `victim` does not hold what was written into it. */
void report_damage(const char *place, int32_t scope, uint32_t victim, uint32_t culprit, uint32_t byte);

#endif
