// pthread_atfork, which has a part of its own in each library and calls this function.
//
//	registered   recorder  a   b             prepare runs backwards, the others forwards
//	fork         b  a  recorder │ recorder  a  b
//
// The recorder's handlers are to be the first that are registered. Then it takes its locks when all others have taken
// theirs: a thread that has one of those and comes into a hook would wait for the fork, which waits for that thread.
#include "../CTraceRecorder/environment.h"
#include "hooks.h"
#include "objects.h"

#ifdef QS_FRONT_END_PRELOAD

QS_LIBC_HOOK(int, __register_atfork,
	(void (*prepare)(void), void (*in_parent)(void), void (*in_child)(void), void *object))
{
	qs_objects_hear_of_forks();
	qs_process_hear_of_forks();
	return libc_original(__register_atfork)(prepare, in_parent, in_child, object);
}

#endif
