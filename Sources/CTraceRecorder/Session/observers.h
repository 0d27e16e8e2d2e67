// All observers, in one table: the processor track, the samples of blocked threads, the watch over the clock, the
// recording budget, and the names of threads. The functions call the functions of the same name in observer.h.
// Observers stop in reverse order, because an observer can use the ones before it.
#ifndef QS_OBSERVERS_H
#define QS_OBSERVERS_H

#include <stdint.h>

void qs_observers_start(uint32_t starter_tid);
void qs_observers_begin(void);
int64_t qs_observers_tick(int64_t now_ns);
void qs_observers_stop(void);
void qs_observers_release(void);
void qs_observers_define(void);
void qs_observers_forget(void);

#endif
