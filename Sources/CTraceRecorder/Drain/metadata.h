// The metadata file: the trace's description in TSDL.
#ifndef QS_METADATA_H
#define QS_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../Events/clock.h"
#include "copier.h"

// Name of this process in the system; the buffer must have at least 16 bytes.
void qs_process_name(char *out, size_t size);

// Writes the file with the calibration, atomically. Returns false with errno when it fails.
bool qs_metadata_write(struct qs_clock_calibration calibration);

// Updates the calibration and the extent of the trace's files in the file. Context: the recorder thread.
void qs_metadata_rewrite(struct qs_clock_calibration calibration, struct qs_extent extent);

#endif
