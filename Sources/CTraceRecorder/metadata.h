// The metadata file: the trace's description in TSDL.
#ifndef QS_METADATA_H
#define QS_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"

// The name of this process as the system has it, for a buffer of at least 16 bytes.
void qs_process_name(char *out, size_t size);

// Writes the file with the calibration, in one step. False with errno when it fails.
bool qs_metadata_write(struct qs_clock_calibration calibration);

// Puts a better calibration into the file, and how many streams have a file with events, by which a reader misses one;
// 0: as long as that is not certain. Context: the recorder's thread.
void qs_metadata_rewrite(struct qs_clock_calibration calibration, uint32_t streams);

#endif
