#ifndef QS_STATEDUMP_H
#define QS_STATEDUMP_H

// Writes the definitions of existing queues: the permanent queues of libdispatch, and the queues of the program.
void qs_statedump_queues(void);

#endif
