// A Swift program that crashes stops all its threads by a signal, to print their stacks, and complains about one that
// does not stop. The recorder's thread blocks that signal, as the program may use it for something else, until the
// runtime installs its handler.
#include "text_map.h"

// Declared here, as the recorder's session is not the hooks' business.
extern void qs_service_let_stop_signal_through(void);

QS_LIBC_HOOK(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old))
{
	if (number == SIGPROF && action != NULL && qs_is_recording()
		&& qs_text_owner((uintptr_t)__builtin_return_address(0)) == QS_TEXT_SWIFT_CORE) {
		qs_service_let_stop_signal_through();
	}
	return libc_original(sigaction)(number, action, old);
}
