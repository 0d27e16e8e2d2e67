// A program with its own SIGSEGV handler, which makes the page of the fault accessible.
#include "check.h"
#include <dispatch/dispatch.h>
#include <signal.h>
#include <sys/mman.h>

static char *page;
static volatile sig_atomic_t faults;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if ((char *)info->si_addr < page || (char *)info->si_addr >= page + 4096)
		_Exit(98);
	faults = faults + 1;
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(page != MAP_FAILED);

	dispatch_queue_t queue = dispatch_queue_create("recovered", NULL);
	for (int i = 0; i < 10; i++) {
		dispatch_async(queue, ^{
			page[7] = (char)i;
			mprotect(page, 4096, PROT_NONE);
		});
	}
	dispatch_sync(queue, ^{ });
	struct sigaction installed;
	CHECK(sigaction(SIGSEGV, NULL, &installed) == 0 && installed.sa_sigaction == on_fault);
	printf("%d faults\n", (int)faults);
	return 0;
}
