// A program that was linked with glibc before 2.3.2, whose condition variables have another memory layout.
//: without libdispatch
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__) && defined(__x86_64__)
__asm__(".symver pthread_cond_init, pthread_cond_init@GLIBC_2.2.5");
__asm__(".symver pthread_cond_destroy, pthread_cond_destroy@GLIBC_2.2.5");
__asm__(".symver pthread_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver pthread_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_timedwait, pthread_cond_timedwait@GLIBC_2.2.5");
#endif

enum { ROUNDS = 500, PATIENCE = 60 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// One pointer to the condition variable, which the first call creates. The bytes behind it must not be written.
static struct { pthread_cond_t condition; char after[64]; } shared;
static int turn;

static void play(int parity)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct timespec deadline;
		clock_gettime(CLOCK_REALTIME, &deadline);
		deadline.tv_sec += PATIENCE;
		CHECK(pthread_mutex_lock(&mutex) == 0);
		while (turn % 2 != parity)
			CHECK((round % 2 ? pthread_cond_wait(&shared.condition, &mutex)
					 : pthread_cond_timedwait(&shared.condition, &mutex, &deadline)) == 0);
		turn++;
		CHECK(pthread_cond_signal(&shared.condition) == 0);
		CHECK(pthread_mutex_unlock(&mutex) == 0);
	}
}

static void *other_player(void *argument)
{
	play(1);
	return argument;
}

int main(void)
{
	pthread_t thread;

	alarm(PATIENCE);
	CHECK(pthread_create(&thread, NULL, other_player, NULL) == 0);
	play(0);
	CHECK(pthread_join(thread, NULL) == 0);
	struct timespec past = { 0, 0 };
	CHECK(pthread_mutex_lock(&mutex) == 0);
	CHECK(pthread_cond_timedwait(&shared.condition, &mutex, &past) == ETIMEDOUT);
	CHECK(pthread_mutex_unlock(&mutex) == 0);
#if defined(__GLIBC__) && defined(__x86_64__)
	// The old layout: one pointer, then unused bytes.
	for (unsigned i = sizeof(void *); i < sizeof shared; i++)
		CHECK(((char *)&shared)[i] == 0);
#endif
	printf("%d turns\n", turn);
	return 0;
}
