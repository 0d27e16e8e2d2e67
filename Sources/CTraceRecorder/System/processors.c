#define _GNU_SOURCE
#include "processors.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Affinity

static uint32_t count_online(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? (uint32_t)count : 0;
}

// The kernel refuses a set that is smaller than its own, which has at most 8,192 processors. This one has 16,384.
static uint32_t count_allowed(void)
{
	cpu_set_t sets[16];
	// Affinity of the main thread, which the others inherit: a thread that starts a session may have pinned itself.
	if (sched_getaffinity(getpid(), sizeof sets, sets) != 0) return 0;
	int count = CPU_COUNT_S(sizeof sets, sets);
	return count > 0 ? (uint32_t)count : 0;
}

// MARK: CFS quota
//
//	  /proc/self/cgroup      the group in each hierarchy      1:cpu,cpuacct:/docker/4f   or   0::/app.slice/app.service
//	  /proc/self/mountinfo   where a hierarchy is mounted     36 25 0:31 /docker/4f /sys/fs/cgroup/cpu … - cgroup …
//	  from the mount's directory down to the group's          cpu.cfs_quota_us, cpu.cfs_period_us   or   cpu.max
//
// A container may see its own group as the mount's root. Quotas of the groups above it cannot be read from inside.

enum version { VERSION_1, VERSION_2, VERSIONS };

// Large buffers are static, as in all code that starts a session under its lock: the program may start a session on a
// small stack.

// Longer paths are ignored.
enum { GROUP_SIZE = 1024, FOLDER_SIZE = 2048 };

struct lines {
	int file;
	size_t begin, end; // bytes that were read and not returned yet
	char text[4096];
};

static bool open_lines(struct lines *lines, const char *root, const char *name)
{
	static char path[FOLDER_SIZE];
	if (snprintf(path, sizeof path, "%s%s", root, name) >= (int)sizeof path) return false;
	lines->file = open(path, O_RDONLY | O_CLOEXEC);
	lines->begin = lines->end = 0;
	return lines->file >= 0;
}

// Returns the next line without its line end; NULL after the last one. Lines that do not fit are skipped.
static char *next_line(struct lines *lines)
{
	bool is_skipping = false;
	for (;;) {
		char *line = lines->text + lines->begin;
		char *end = memchr(line, '\n', lines->end - lines->begin);
		if (end != NULL) {
			*end = 0;
			lines->begin = (size_t)(end + 1 - lines->text);
			if (!is_skipping) return line;
			is_skipping = false;
			continue;
		}
		lines->end -= lines->begin;
		memmove(lines->text, line, lines->end);
		lines->begin = 0;
		if (lines->end == sizeof lines->text) {
			is_skipping = true;
			lines->end = 0;
		}
		ssize_t count = read(lines->file, lines->text + lines->end, sizeof lines->text - lines->end);
		if (count <= 0) return NULL;
		lines->end += (size_t)count;
	}
}

// Whether a list such as "cpu,cpuacct" contains the word.
static bool contains(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *item = list; item != NULL; item = strchr(item, ',')) {
		if (*item == ',') item++;
		if (strncmp(item, word, length) == 0 && (item[length] == ',' || item[length] == 0)) return true;
	}
	return false;
}

// Reads the process's group of each version, "" when there is none.
static void read_groups(const char *root, char groups[VERSIONS][GROUP_SIZE])
{
	groups[VERSION_1][0] = groups[VERSION_2][0] = 0;
	static struct lines lines;
	if (!open_lines(&lines, root, "/proc/self/cgroup")) return;
	for (char *line = next_line(&lines); line != NULL; line = next_line(&lines)) {
		char *controllers = strchr(line, ':');
		char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
		if (path == NULL) continue;
		*controllers++ = 0;
		*path++ = 0;
		bool is_version_2 = controllers[0] == 0;
		if (!is_version_2 && !contains(controllers, "cpu")) continue;
		if (strlen(path) < GROUP_SIZE) strcpy(groups[is_version_2 ? VERSION_2 : VERSION_1], path);
	}
	close(lines.file);
}

// Decodes escapes such as \040, by which mountinfo represents blanks and backslashes.
static void unescape(char *text)
{
	char *out = text;
	while (*text != 0) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' && text[2] <= '7'
			&& text[3] >= '0' && text[3] <= '7') {
			*out++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
			text += 4;
		} else {
			*out++ = *text++;
		}
	}
	*out = 0;
}

struct mount {
	enum version version;
	const char *root;  // the group that is mounted
	const char *point; // directory of the mount
};

// Parses a line of mountinfo. `mount` refers to the line afterwards. Returns false when it is no hierarchy with quotas.
static bool parse_mount(char *line, struct mount *mount)
{
	static const char separator[] = " - ";
	// No path contains the separator, because blanks are escaped.
	char *type = strstr(line, separator);
	if (type == NULL) return false;
	*type = 0;
	type += sizeof separator - 1;
	char *rest = NULL;
	const char *type_name = strtok_r(type, " ", &rest);
	strtok_r(NULL, " ", &rest); // the device
	const char *options = strtok_r(NULL, " ", &rest);
	if (type_name == NULL || options == NULL) return false;
	if (strcmp(type_name, "cgroup2") == 0) mount->version = VERSION_2;
	else if (strcmp(type_name, "cgroup") == 0 && contains(options, "cpu")) mount->version = VERSION_1;
	else return false;
	char *fields[5] = {NULL};
	rest = NULL;
	for (int index = 0; index < 5; index++) fields[index] = strtok_r(index == 0 ? line : NULL, " ", &rest);
	if (fields[4] == NULL) return false;
	unescape(fields[3]);
	unescape(fields[4]);
	mount->root = fields[3];
	mount->point = fields[4];
	return true;
}

// Path from the mounted group down to this group, "" when they are equal; NULL when the group is not below it.
static const char *path_below(const char *mounted, const char *group)
{
	if (strstr(group, "/..") != NULL) return NULL; // outside of the process's namespace
	if (strcmp(mounted, "/") == 0) return strcmp(group, "/") == 0 ? "" : group;
	size_t length = strlen(mounted);
	bool lies_below = strncmp(group, mounted, length) == 0 && (group[length] == '/' || group[length] == 0);
	return lies_below ? group + length : NULL;
}

// Reads one or two numbers from a file, such as "150000 100000". Returns their count: 0 also for "max" and "-1".
static int read_numbers(const char *folder, const char *name, double numbers[2])
{
	char path[FOLDER_SIZE + 32], text[64];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return 0;
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	if (length <= 0) return 0;
	text[length] = 0;
	int count = 0;
	for (char *number = text; count < 2 && *number >= '0' && *number <= '9';) {
		numbers[count++] = (double)strtoull(number, &number, 10);
		while (*number == ' ') number++;
	}
	return count;
}

// Quota of one group in thousandths of a processor, 0 when it has none.
static uint32_t read_quota(const char *folder, enum version version)
{
	double numbers[2], quota, period;
	if (version == VERSION_2) {
		if (read_numbers(folder, "cpu.max", numbers) != 2) return 0;
		quota = numbers[0];
		period = numbers[1];
	} else {
		if (read_numbers(folder, "cpu.cfs_quota_us", numbers) == 0) return 0;
		quota = numbers[0];
		if (read_numbers(folder, "cpu.cfs_period_us", numbers) == 0) return 0;
		period = numbers[0];
	}
	if (quota <= 0 || period <= 0) return 0;
	double milli = quota * 1000 / period + 0.5;
	if (milli >= UINT32_MAX) return 0;
	return milli < 1 ? 1 : (uint32_t)milli;
}

static uint32_t tighter(uint32_t one, uint32_t other)
{
	if (one == 0 || other == 0) return one + other;
	return one < other ? one : other;
}

// Tightest quota of the groups from the end of `way` up to the mount's own group; 0 when there is none.
static uint32_t tightest_above(const char *root, const struct mount *mount, const char *way)
{
	static char folder[FOLDER_SIZE];
	int top = snprintf(folder, sizeof folder, "%s%s", root, mount->point);
	if (top < 0 || top + strlen(way) >= sizeof folder) return 0;
	strcpy(folder + top, way);
	uint32_t quota = 0;
	for (;;) {
		quota = tighter(quota, read_quota(folder, mount->version));
		char *last = strrchr(folder + top, '/');
		if (last == NULL) return quota;
		*last = 0;
	}
}

// Tightest quota of the group and its parents. When no mount contains the group, as in the namespace of another
// process, the directory of the first mount is used.
static uint32_t find_quota(const char *root, enum version version, const char *group)
{
	for (int must_contain = 1; must_contain >= 0; must_contain--) {
		static struct lines lines;
		if (!open_lines(&lines, root, "/proc/self/mountinfo")) return 0;
		for (char *line = next_line(&lines); line != NULL; line = next_line(&lines)) {
			struct mount mount;
			if (!parse_mount(line, &mount) || mount.version != version) continue;
			const char *way = must_contain ? path_below(mount.root, group) : "";
			if (way == NULL) continue;
			uint32_t quota = tightest_above(root, &mount, way);
			close(lines.file);
			return quota;
		}
		close(lines.file);
	}
	return 0;
}

struct qs_processors qs_processors_read(const char *root)
{
	int saved_errno = errno;
	static char groups[VERSIONS][GROUP_SIZE];
	read_groups(root, groups);
	uint32_t quota = 0;
	for (enum version version = VERSION_1; version < VERSIONS; version++) {
		if (groups[version][0] != 0) quota = tighter(quota, find_quota(root, version, groups[version]));
	}
	uint32_t online = count_online(), allowed = count_allowed();
	errno = saved_errno;
	return (struct qs_processors){.online = online, .allowed = allowed != 0 ? allowed : online, .quota_milli = quota};
}
