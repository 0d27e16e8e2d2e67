// The crash handler of the Swift runtime stops all threads of the program by a signal to print their stacks, and
// reports each thread that does not stop. The recorder thread blocks this signal, because the program may use it for
// another purpose, until the runtime installs its handler.
#include "text_map.h"

// Declared here: the hooks do not include the header of the recorder's session.
extern void qs_service_let_stop_signal_through(void);

QS_LIBC_HOOK(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old))
{
	if (number == SIGPROF && action != NULL && qs_is_recording()
		&& qs_text_owner((uintptr_t)__builtin_return_address(0)) == QS_TEXT_SWIFT_CORE) {
		qs_service_let_stop_signal_through();
	}
	return libc_original(sigaction)(number, action, old);
}
