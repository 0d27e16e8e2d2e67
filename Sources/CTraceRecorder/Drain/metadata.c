#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "metadata.h"

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "trace_files.h"

// Part of the metadata that depends only on the event catalogue.
static const char event_declarations[] =
#include "metadata_events.generated.h"
	;

// Copies `text`, and escapes the characters that would end a TSDL string literal.
static void quote(char *out, size_t size, const char *text)
{
	size_t used = 0;
	for (; *text != 0 && used + 3 < size; text++) {
		unsigned char character = (unsigned char)*text;
		if (character < 0x20 || character == 0x7F) continue;
		if (character == '"' || character == '\\') out[used++] = '\\';
		out[used++] = (char)character;
	}
	out[used] = 0;
}

void qs_process_name(char *out, size_t size)
{
	out[0] = 0;
	int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
	if (file < 0) return;
	ssize_t count = read(file, out, size - 1);
	out[count > 0 ? count : 0] = 0;
	close(file);
	out[strcspn(out, "\n")] = 0;
}

static bool write_all(int file, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t count = write(file, text, length);
		if (count <= 0) return false;
		text += count;
		length -= (size_t)count;
	}
	return true;
}

static const char head_format[] =
	"/* CTF 1.8 */\n\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 48; align = 8; signed = false; } := uint48_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
	"typealias integer { size = 8; align = 8; signed = false; base = 16; } := hex8_t;\n"
	"typealias integer { size = 48; align = 8; signed = false; base = 16; } := hex48_t;\n\n"
	"trace {\n"
	"\tmajor = 1;\n\tminor = 8;\n"
	"\tuuid = \"%s\";\n"
	"\tbyte_order = le;\n"
	"\tpacket.header := struct {\n"
	"\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n\t\tuint32_t stream_id;\n\t\tuint64_t stream_instance_id;\n"
	"\t};\n};\n\n"
	"env {\n"
	"\thostname = \"%s\";\n\tdomain = \"ust\";\n\tprocname = \"%s\";\n\tvpid = %d;\n"
	"\ttracer_name = \"queuescope\";\n\tbackend = \"ring\";\n"
	"\tschema_major = %d;\n\tschema_minor = %d;\n"
	"\tprocessors = %u;\n\tprocessors_online = %u;\n\tprocessor_quota_milli = %u;\n"
	"%s"
	"\tstreams = %5u;\n\tstream_bytes = %15llu;\n" // StreamCount.swift replaces them
	"};\n\n"
	"clock {\n"
	"\tname = \"monotonic\";\n\tdescription = \"%s\";\n"
	"\tfreq = %llu;\n\toffset_s = %lld;\n\toffset = %llu;\n"
	"};\n\n"
	"typealias integer { size = 32; align = 8; signed = false; map = clock.monotonic.value; } := uint32_clock_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := uint64_clock_t;\n\n"
	"struct event_header {\n"
	"\tenum : uint8_t { compact = 0 ... 254, extended = 255 } id;\n"
	"\tvariant <id> {\n"
	"\t\tstruct { uint32_clock_t timestamp; } compact;\n"
	"\t\tstruct { uint32_t id; uint64_clock_t timestamp; } extended;\n"
	"\t} v;\n};\n\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tevent.header := struct event_header;\n"
	"\tpacket.context := struct {\n"
	"\t\tuint64_clock_t timestamp_begin;\n\t\tuint64_clock_t timestamp_end;\n"
	"\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n\t\tuint64_t packet_seq_num;\n"
	"\t\tuint64_t events_discarded;\n\t\tuint32_t tid;\n\t\tuint32_t event_count;\n"
	"\t};\n};\n\n";

// The head is padded with blanks to a multiple of HEAD_ROUND, so that a better calibration fits in the same place.
enum { HEAD_ROUND = 256, HEAD_MOST = 4096 };

// Length of the head in the file.
static size_t written_length;

// Returns the length, 0 when it does not fit.
static size_t compose_head(char *head, struct qs_clock_calibration calibration, struct qs_extent extent)
{
	char uuid[37];
	const uint8_t *u = qs_identity.uuid;
	snprintf(uuid, sizeof uuid, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
		u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
	char raw_host[65] = "", host[132], program[132];
	gethostname(raw_host, sizeof raw_host - 1);
	quote(host, sizeof host, raw_host);
	char raw_program[64];
	qs_process_name(raw_program, sizeof raw_program);
	quote(program, sizeof program, raw_program);
	char window[48] = "";
	unsigned long long window_ns = qs_identity.window_ns;
	if (window_ns != 0) snprintf(window, sizeof window, "\twindow_ns = %llu;\n", window_ns);
	const struct qs_processors *processors = &qs_identity.processors;
	int printed = snprintf(head, HEAD_MOST, head_format, uuid, host, program, (int)getpid(), QS_SCHEMA_MAJOR,
		QS_SCHEMA_MINOR, processors->allowed, processors->online, processors->quota_milli, window, extent.streams,
		(unsigned long long)extent.bytes,
		qs_gate.clock_kind == QS_CLOCK_COUNTER ? "time stamp counter" : "CLOCK_MONOTONIC",
		(unsigned long long)calibration.frequency, (long long)calibration.offset_seconds,
		(unsigned long long)calibration.offset_ticks);
	if (printed < 0) return 0;
	size_t length = ((size_t)printed + HEAD_ROUND) / HEAD_ROUND * HEAD_ROUND;
	if (length > HEAD_MOST) return 0;
	memset(head + printed, ' ', length - (size_t)printed);
	head[length - 1] = '\n';
	return length;
}

bool qs_metadata_write(struct qs_clock_calibration calibration)
{
	if (qs_identity.is_joined) return true;
	static char head[HEAD_MOST]; // static, because the stack may be small
	size_t length = compose_head(head, calibration, (struct qs_extent){0});
	if (length == 0) return false;

	// A write beyond RLIMIT_FSIZE would end the program with SIGXFSZ.
	struct rlimit size;
	if (getrlimit(RLIMIT_FSIZE, &size) == 0 && length + sizeof event_declarations > size.rlim_cur) {
		errno = EFBIG;
		return false;
	}
	// Written to a second file and renamed, so that a reader never finds a partial file, not even after a kill.
	static char path[PATH_MAX], aside[PATH_MAX];
	snprintf(path, sizeof path, "%s/metadata", qs_identity.directory);
	snprintf(aside, sizeof aside, "%s/.metadata", qs_identity.directory);
	int file = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) return false;
	bool written = write_all(file, head, length) && write_all(file, event_declarations, sizeof event_declarations - 1);
	if (close(file) != 0) written = false;
	if (written && rename(aside, path) == 0) {
		written_length = length;
		return true;
	}
	unlink(aside);
	return false;
}

void qs_metadata_rewrite(struct qs_clock_calibration calibration, struct qs_extent extent)
{
	if (qs_identity.is_joined) return;
	char head[HEAD_MOST];
	// In place, by one write of less than a page, which a kill does not split. Skipped if the length changed because
	// the program's name became much longer.
	size_t length = compose_head(head, calibration, extent);
	if (length == written_length) qs_trace_metadata_write(head, length);
}
