// Read-write locks between items, with their errors, and a queue that is used in the same way.
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
	static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
	static int value, mirror;

	dispatch_apply(2000, NULL, ^(size_t index) {
		if (index % 10 == 0) {
			CHECK(pthread_rwlock_wrlock(&lock) == 0);
			value++;
			mirror++;
		} else {
			CHECK(pthread_rwlock_rdlock(&lock) == 0);
			CHECK(value == mirror);
		}
		CHECK(pthread_rwlock_unlock(&lock) == 0);
	});
	CHECK(pthread_rwlock_wrlock(&lock) == 0);
	CHECK(pthread_rwlock_rdlock(&lock) == EDEADLK);
	CHECK(pthread_rwlock_trywrlock(&lock) == EBUSY);
	CHECK(pthread_rwlock_unlock(&lock) == 0);
	printf("%d writes\n", value);
	return 0;
}
