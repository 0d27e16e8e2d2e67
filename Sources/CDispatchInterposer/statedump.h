#ifndef QS_STATEDUMP_H
#define QS_STATEDUMP_H

// Defines the queues that exist: those that libdispatch always has, and those that the program made.
void qs_statedump_queues(void);

#endif
