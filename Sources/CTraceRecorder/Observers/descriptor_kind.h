// The kind of a file descriptor of a thread, as an enum qs_descriptor_kind (event_writers.generated.h).
#ifndef QS_DESCRIPTOR_KIND_H
#define QS_DESCRIPTOR_KIND_H

#include <stdbool.h>
#include <stdint.h>

// Reads the kind of a thread's descriptor from /proc, with at most two system calls. Network file systems are not
// asked. Returns unknown for a closed descriptor. If another thread closes the descriptor at the same time and opens
// another file with its number, the kind is that file's. Allocates: no. Blocks: no. Context: any thread.
uint8_t qs_descriptor_kind_read(uint32_t tid, uint32_t descriptor);

bool qs_descriptor_kind_is_socket(uint8_t kind);

#endif
