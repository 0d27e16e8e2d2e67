// Condition variables of both clocks without libdispatch: no wake-up is lost, with each of glibc's symbol versions.
//: without libdispatch
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 2000, EXPIRING = 50, PATIENCE = 60 };

struct game {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	clockid_t clock;
	int is_timed;
	int turn;
};

static struct timespec later(clockid_t clock, long nanoseconds)
{
	struct timespec time;
	clock_gettime(clock, &time);
	time.tv_nsec += nanoseconds;
	time.tv_sec += time.tv_nsec / 1000000000 + (nanoseconds == 0 ? PATIENCE : 0);
	time.tv_nsec %= 1000000000;
	return time;
}

static void wait_for_turn(struct game *game, int parity)
{
	struct timespec deadline = later(game->clock, 0);
	while (game->turn % 2 != parity) {
		if (game->is_timed)
			CHECK(pthread_cond_timedwait(&game->condition, &game->mutex, &deadline) == 0);
		else
			CHECK(pthread_cond_wait(&game->condition, &game->mutex) == 0);
	}
}

static void play(struct game *game, int parity)
{
	for (int round = 0; round < ROUNDS; round++) {
		CHECK(pthread_mutex_lock(&game->mutex) == 0);
		wait_for_turn(game, parity);
		game->turn++;
		CHECK(pthread_cond_signal(&game->condition) == 0);
		CHECK(pthread_mutex_unlock(&game->mutex) == 0);
	}
}

static void *other_player(void *game)
{
	play(game, 1);
	return NULL;
}

static void play_by(clockid_t clock, int is_timed)
{
	struct game game = { .clock = clock, .is_timed = is_timed };
	pthread_condattr_t attributes;
	pthread_t thread;

	CHECK(pthread_condattr_init(&attributes) == 0);
	CHECK(pthread_condattr_setclock(&attributes, clock) == 0);
	CHECK(pthread_cond_init(&game.condition, &attributes) == 0);
	CHECK(pthread_mutex_init(&game.mutex, NULL) == 0);
	CHECK(pthread_create(&thread, NULL, other_player, &game) == 0);
	play(&game, 0);
	CHECK(pthread_join(thread, NULL) == 0);

	int expired = 0;
	for (int round = 0; round < EXPIRING; round++) {
		struct timespec deadline = later(clock, 100000);
		CHECK(pthread_mutex_lock(&game.mutex) == 0);
		int result;
		do result = pthread_cond_timedwait(&game.condition, &game.mutex, &deadline);
		while (result == 0);
		expired += result == ETIMEDOUT;
		CHECK(pthread_mutex_unlock(&game.mutex) == 0);
	}
	CHECK(pthread_cond_destroy(&game.condition) == 0);
	printf("%s, %s: %d turns, %d expired\n", clock == CLOCK_MONOTONIC ? "monotonic" : "realtime",
		is_timed ? "timed" : "untimed", game.turn, expired);
}

int main(void)
{
	alarm(PATIENCE);
	play_by(CLOCK_REALTIME, 1);
	play_by(CLOCK_MONOTONIC, 1);
	play_by(CLOCK_REALTIME, 0);
	play_by(CLOCK_MONOTONIC, 0);
	return 0;
}
