#ifndef QS_EVENT_COUNT_H
#define QS_EVENT_COUNT_H

#include <stddef.h>
#include <stdint.h>

// How many events these bytes are, by the catalogue's shapes. Bytes that are no event, of a program that wrote where
// it should not, end the counting.
uint32_t qs_events_count(const unsigned char *events, size_t bytes);

#endif
