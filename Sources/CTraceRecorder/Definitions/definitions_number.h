// Number of the definitions generation, see qs_definitions_number in CTraceRecorder.h.
#ifndef QS_DEFINITIONS_NUMBER_H
#define QS_DEFINITIONS_NUMBER_H

// Begins a generation of definitions: whatever is defined once per generation is then defined again at its next use.
void qs_definitions_begin(void);

#endif
