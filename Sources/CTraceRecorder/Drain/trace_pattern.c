#define _GNU_SOURCE
#include "trace_pattern.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CTraceRecorder.h"

enum { VALUE_BYTES = 256 };

static const char time_form[] = "ddddddddTdddddd.dddZ"; // d: a digit

// The date of a day, counted from 1970-01-01. Not by gmtime_r, which reads the time zone and may allocate. The years
// begin in March, so that the leap day is the last day of a year; 400 years have 146,097 days.
static void split_date(int64_t days, int *year, int *month, int *day)
{
	int64_t since_0000 = days + 719468; // from 0000-03-01
	int64_t cycle = since_0000 / 146097, of_cycle = since_0000 % 146097;
	int64_t years = (of_cycle - of_cycle / 1460 + of_cycle / 36524 - of_cycle / 146096) / 365;
	int64_t of_year = of_cycle - (365 * years + years / 4 - years / 100);
	int64_t months = (5 * of_year + 2) / 153;
	*day = (int)(of_year - (153 * months + 2) / 5 + 1);
	*month = (int)(months < 10 ? months + 3 : months - 9);
	*year = (int)(cycle * 400 + years + (*month <= 2));
}

static void write_time(char *value)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	int year, month, day;
	split_date(now.tv_sec / 86400, &year, &month, &day);
	int second = (int)(now.tv_sec % 86400);
	snprintf(value, VALUE_BYTES, "%04d%02d%02dT%02d%02d%02d.%03dZ", year, month, day, second / 3600, second / 60 % 60,
		second % 60, (int)(now.tv_nsec / 1000000));
}

// A slash would change the folder.
static void without_slashes(char *value)
{
	for (; *value != 0; value++) {
		if (*value == '/') *value = '_';
	}
}

// Writes the value of a letter. Returns false for an unknown letter.
static bool value_of(char letter, char *value)
{
	switch (letter) {
	case '%': snprintf(value, VALUE_BYTES, "%%"); return true;
	case 'n': snprintf(value, VALUE_BYTES, "%s", program_invocation_short_name); break;
	case 'p': snprintf(value, VALUE_BYTES, "%d", (int)getpid()); break;
	case 't': write_time(value); break;
	case 'h':
		value[0] = 0;
		gethostname(value, VALUE_BYTES - 1);
		value[VALUE_BYTES - 1] = 0;
		break;
	default: return false;
	}
	without_slashes(value);
	return true;
}

int qs_trace_pattern_expand(const char *pattern, char *path, size_t size)
{
	size_t used = 0;
	for (; *pattern != 0; pattern++) {
		char value[VALUE_BYTES] = {*pattern, 0};
		if (*pattern == '%' && !value_of(*++pattern, value)) return QS_SESSION_BAD_PATTERN;
		size_t length = strlen(value);
		if (length >= size - used) return QS_SESSION_PATH_TOO_LONG;
		memcpy(path + used, value, length);
		used += length;
	}
	while (used > 1 && path[used - 1] == '/') used--;
	path[used] = 0;
	return QS_SESSION_OK;
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

// Skips the digits of a number. Returns NULL when there is none.
static const char *after_number(const char *name)
{
	if (!is_digit(*name)) return NULL;
	while (is_digit(*name)) name++;
	return name;
}

static const char *after_time(const char *name)
{
	for (const char *form = time_form; *form != 0; form++, name++) {
		if (*form == 'd' ? !is_digit(*name) : *name != *form) return NULL;
	}
	return name;
}

// Skips a value of the letter. Returns NULL when the name begins with other text.
static const char *after_value(char letter, const char *name)
{
	if (letter == 'p') return after_number(name);
	if (letter == 't') return after_time(name);
	char value[VALUE_BYTES];
	if (!value_of(letter, value)) return NULL;
	size_t length = strlen(value);
	return strncmp(name, value, length) == 0 ? name + length : NULL;
}

bool qs_trace_pattern_matches(const char *component, const char *name)
{
	for (; *component != 0; component++) {
		if (*component == '%') {
			name = after_value(*++component, name);
			if (name == NULL) return false;
		} else if (*name++ != *component) {
			return false;
		}
	}
	if (*name == '-') name = after_number(name + 1);
	return name != NULL && *name == 0;
}
