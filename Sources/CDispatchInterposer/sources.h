#ifndef QS_SOURCES_H
#define QS_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

// The enum qs_source_type of a DISPATCH_SOURCE_TYPE_ constant.
uint8_t qs_source_type_of(const void *type);

// Whether the handle of a source of this type, an enum qs_source_type, has a meaning.
bool qs_source_has_handle(uint8_t type);

// Records that a work item is about to run as a handler of a source on this thread. qs_record_callout_end records the
// end. `handler` is an enum qs_handler_kind. If the source was freed, the run is recorded as a plain call.
void qs_source_callout_begin(void *source, uint8_t handler, uint32_t code);

#endif
