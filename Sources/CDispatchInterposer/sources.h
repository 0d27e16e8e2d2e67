#ifndef QS_SOURCES_H
#define QS_SOURCES_H

#include <stdint.h>

// Records that a work item is about to run as a handler of a source on this thread. qs_record_callout_end records the
// end. `handler` is an enum qs_handler_kind. If the source was freed, the run is recorded as a plain call.
void qs_source_callout_begin(void *source, uint8_t handler, uint32_t code);

#endif
