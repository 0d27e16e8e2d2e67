// Checks the files of a trace without the trace reader: every packet is complete, and all finished events of each
// thread are present or counted as discarded. The trace of a flight recorder begins with the newest overwritten event.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event_reading.h"
#include "packet.h"
#include "victim.h"

enum {
	ITEM_BEGIN = 22,
	SIGNPOST_EVENT = 113,
};

struct check {
	uint64_t begin;                 // time of the newest overwritten event, 0: none
	uint64_t end;                   // time of the last event
	uint64_t first[MOST_THREADS];   // number of the first event after the begin, 0: none
	uint64_t last[MOST_THREADS];    // number of the last event in the stream
	uint64_t present[MOST_THREADS]; // events after the begin
	uint64_t events;
	uint64_t discarded;
	char problem[256];
};

static uint64_t load(const unsigned char *cursor, size_t bytes)
{
	uint64_t value = 0;
	memcpy(&value, cursor, bytes);
	return value;
}

static void note_number(struct check *check, uint64_t number, uint64_t thread, uint64_t time)
{
	if (thread >= MOST_THREADS) return;
	if (number <= check->last[thread]) {
		snprintf(check->problem, sizeof check->problem, "event %lu of thread %lu comes after %lu",
			(unsigned long)number, (unsigned long)thread, (unsigned long)check->last[thread]);
	}
	check->last[thread] = number;
	if (check->begin != 0 && time <= check->begin) return;
	if (check->first[thread] == 0) check->first[thread] = number;
	check->present[thread] += 1;
}

static void check_events(struct check *check, const struct qs_packet *packet)
{
	const unsigned char *end = (const unsigned char *)packet + packet->content_size / 8;
	struct qs_read_event event = qs_event_before_first(packet);
	uint32_t count = 0;
	for (; qs_event_read_next(&event, end); count++) {
		bool is_numbered = event.id == ITEM_BEGIN || event.id == SIGNPOST_EVENT;
		if (is_numbered) {
			note_number(check, load(event.fields, 6), load(event.fields + 6, 4), event.time);
		}
	}
	if (event.end != end) strcpy(check->problem, "a packet ends in the middle of an event");
	if (packet->event_count != 0 && packet->event_count != count) strcpy(check->problem, "a packet has a wrong count");
	check->events += count;
}

static void check_stream(struct check *check, const unsigned char *bytes, size_t size)
{
	// A thread that was interrupted by many signals during one event continues in another stream, and the streams are
	// read in any order.
	memset(check->last, 0, sizeof check->last);
	uint64_t sequence = 0, time = 0, discarded = 0;
	if (check->begin != 0 && size >= QS_PACKET_HEAD) sequence = ((const struct qs_packet *)bytes)->packet_seq_num;
	size_t offset = 0;
	while (offset < size && check->problem[0] == 0) {
		const struct qs_packet *packet = (const struct qs_packet *)(bytes + offset);
		bool is_whole = size - offset >= QS_PACKET_HEAD && packet->magic == QS_PACKET_MAGIC
			&& packet->packet_size / 8 <= size - offset && packet->content_size <= packet->packet_size
			&& packet->content_size / 8 >= QS_PACKET_HEAD;
		if (!is_whole) {
			strcpy(check->problem, "a packet is torn");
			return;
		}
		if (packet->packet_seq_num != sequence++) strcpy(check->problem, "a packet is missing");
		if (packet->timestamp_begin < time || packet->timestamp_end < packet->timestamp_begin) {
			strcpy(check->problem, "time goes back");
		}
		if (packet->events_discarded < discarded) strcpy(check->problem, "the number of discarded events goes back");
		time = packet->timestamp_end;
		discarded = packet->events_discarded;
		check_events(check, packet);
		offset += packet->packet_size / 8;
	}
	check->discarded += discarded;
	if (time > check->end) check->end = time;
}

static void check_file(struct check *check, int directory, const char *name)
{
	int file = openat(directory, name, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (file < 0 || fstat(file, &status) != 0) return;
	void *bytes = status.st_size != 0 ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
	close(file);
	if (bytes == NULL) return;
	check_stream(check, bytes, (size_t)status.st_size);
	munmap(bytes, (size_t)status.st_size);
	size_t length = strlen(check->problem);
	if (length != 0 && strchr(check->problem, ':') == NULL) {
		snprintf(check->problem + length, sizeof check->problem - length, ": %s", name);
	}
}

static bool read_start(int directory, const char *name, void *bytes, size_t size)
{
	int file = openat(directory, name, O_RDONLY | O_CLOEXEC);
	bool is_read = file >= 0 && pread(file, bytes, size, 0) == (ssize_t)size;
	if (file >= 0) close(file);
	return is_read;
}

// Time of the newest event that a flight recorder in memory has overwritten, 0: none.
static uint64_t overwritten_time(int directory)
{
	struct qs_packet packet;
	bool is_read = read_start(directory, "overwritten", &packet, QS_PACKET_HEAD);
	return is_read && packet.packet_seq_num != 0 ? packet.timestamp_begin : 0;
}

// Ticks per second, according to the metadata.
static double frequency(int directory)
{
	char head[2049] = "";
	static const char field[] = "freq = ";
	const char *place = read_start(directory, "metadata", head, sizeof head - 1) ? strstr(head, field) : NULL;
	return place != NULL ? strtod(place + strlen(field), NULL) : 1e9;
}

// A flight recorder overwrites no event of its window. Its clock in the metadata has an error of up to 0.1 %.
static void check_window(struct check *check, int directory, int window_ms)
{
	if (check->begin == 0 || check->problem[0] != 0) return;
	double seconds = (double)(check->end - check->begin) / frequency(directory);
	if (seconds * 1000 * 1.01 >= window_ms) return;
	snprintf(check->problem, sizeof check->problem, "the trace has the last %.3f s of a window of %d ms", seconds,
		window_ms);
}

void trace_check(const char *path, int window_ms, const uint64_t *finished, int threads)
{
	struct check check = {0};
	DIR *directory = opendir(path);
	if (directory != NULL && window_ms != 0) check.begin = overwritten_time(dirfd(directory));
	for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "metadata") == 0) continue;
		check_file(&check, dirfd(directory), entry->d_name);
	}
	if (directory != NULL) check_window(&check, dirfd(directory), window_ms);
	if (directory != NULL) closedir(directory);
	uint64_t missing = 0, total = 0;
	for (int thread = 0; thread < threads; thread++) {
		uint64_t known = check.present[thread];
		total += finished[thread];
		if (check.last[thread] > finished[thread] + 1) {
			snprintf(check.problem, sizeof check.problem, "thread %d has event %lu after %lu finished ones", thread,
				(unsigned long)check.last[thread], (unsigned long)finished[thread]);
		}
		uint64_t wanted = finished[thread];
		if (check.first[thread] != 0 && check.begin != 0) wanted -= check.first[thread] - 1;
		if (known < wanted) missing += wanted - known;
	}
	if (missing > check.discarded && check.problem[0] == 0) {
		snprintf(check.problem, sizeof check.problem,
			"%lu of %lu finished events are missing, %lu are counted as discarded", (unsigned long)missing,
			(unsigned long)total, (unsigned long)check.discarded);
	}
	printf("%s\t%lu\t%lu\t%lu\n", check.problem[0] != 0 ? check.problem : "ok", (unsigned long)check.events,
		(unsigned long)total, (unsigned long)check.discarded);
}
