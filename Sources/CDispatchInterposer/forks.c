// Hook of __register_atfork, which each library's copy of pthread_atfork calls. The preload object exports it, because
// the order of the handlers is decided before a session starts.
//
//	registered   recorder  a   b             prepare handlers run in reverse order, the others in order
//	fork         b  a  recorder │ recorder  a  b
//
// The recorder's handlers must be the first ones that are registered. At a fork the recorder then takes its locks after
// all other handlers took theirs. Otherwise a thread that holds such a lock and enters a hook would wait for the fork,
// which waits for that thread.
#include "hooks.h"
#include "objects.h"

#ifdef QS_FRONT_END_PRELOAD

__attribute__((visibility("default"))) int __register_atfork(
	void (*prepare)(void), void (*in_parent)(void), void (*in_child)(void), void *object)
{
	qs_objects_register_fork_handlers();
	qs_process_hear_of_forks();
	return libc_original(__register_atfork)(prepare, in_parent, in_child, object);
}

#endif
