#include "observers.h"

#include <stddef.h>

#include "../Observers/blocked_sampler.h"
#include "../Observers/clock_watch.h"
#include "../Observers/observer.h"
#include "../Observers/processor_track.h"
#include "../Observers/recording_budget.h"
#include "../Observers/thread_names.h"

static const struct qs_observer *const observers[] = {
	&qs_processor_observer, &qs_blocked_observer, &qs_clock_observer, &qs_budget_observer, &qs_names_observer};

enum { OBSERVERS = sizeof observers / sizeof observers[0] };

void qs_observers_start(uint32_t starter_tid)
{
	for (int index = 0; index < OBSERVERS; index++) observers[index]->start(starter_tid);
}

void qs_observers_begin(void)
{
	for (int index = 0; index < OBSERVERS; index++) {
		if (observers[index]->begin != NULL) observers[index]->begin();
	}
}

int64_t qs_observers_tick(int64_t now_ns)
{
	int64_t due_ns = INT64_MAX;
	for (int index = 0; index < OBSERVERS; index++) {
		int64_t own_ns = observers[index]->tick(now_ns);
		if (own_ns < due_ns) due_ns = own_ns;
	}
	return due_ns;
}

void qs_observers_stop(void)
{
	for (int index = OBSERVERS - 1; index >= 0; index--) {
		if (observers[index]->stop != NULL) observers[index]->stop();
	}
}

void qs_observers_release(void)
{
	for (int index = 0; index < OBSERVERS; index++) {
		if (observers[index]->release != NULL) observers[index]->release();
	}
}

void qs_observers_define(void)
{
	for (int index = 0; index < OBSERVERS; index++) {
		if (observers[index]->define != NULL) observers[index]->define();
	}
}

void qs_observers_forget(void)
{
	for (int index = 0; index < OBSERVERS; index++) {
		if (observers[index]->forget != NULL) observers[index]->forget();
	}
}
