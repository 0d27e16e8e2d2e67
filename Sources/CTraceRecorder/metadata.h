// The metadata file: the trace's description in TSDL.
#ifndef QS_METADATA_H
#define QS_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"
#include "copier.h"

// The name of this process as the system has it, for a buffer of at least 16 bytes.
void qs_process_name(char *out, size_t size);

// Writes the file with the calibration, in one step. False with errno when it fails.
bool qs_metadata_write(struct qs_clock_calibration calibration);

// Puts a better calibration into the file, and what the files have. Context: the recorder's thread.
void qs_metadata_rewrite(struct qs_clock_calibration calibration, struct qs_extent extent);

#endif
