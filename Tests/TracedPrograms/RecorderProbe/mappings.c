// Lists the shared writable mappings of the process with their backing.
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "CTraceRecorder.h"
#include "probe.h"

static const char *backing(const char *path)
{
	if (strncmp(path, "anon_inode:", 11) == 0) return "kernel";
	// A shared memory segment, a mapping without a file, or of a deleted file: the kernel keeps it in an internal
	// tmpfs, in which no process can truncate it by a path.
	if (strncmp(path, "/SYSV", 5) == 0) return "segment";
	if (path[0] == 0 || strncmp(path, "/memfd:", 7) == 0) return "tmpfs";
	if (strncmp(path, "/dev/zero (deleted)", 19) == 0) return "tmpfs";
	struct statfs status;
	if (statfs(path, &status) != 0) return strerror(errno);
	return status.f_type == TMPFS_MAGIC ? "tmpfs" : "file-system";
}

void probe_print_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	if (maps == NULL) abort();
	char line[8192];
	while (fgets(line, sizeof line, maps) != NULL) {
		char rights[8], path[4096] = "";
		if (sscanf(line, "%*s %7s %*s %*s %*s %4095[^\n]", rights, path) < 1) abort();
		if (rights[1] == 'w' && rights[3] == 's') printf("%s %s\n", backing(path), path);
	}
	fclose(maps);
}

int probe_mappings(int argc, char **argv)
{
	(void)argc;
	probe_start(argv[0], 0);
	for (uint64_t index = 0; index < 100 * 1000; index++) qs_record_item_begin(index, 17);
	probe_print_mappings();
	qs_session_stop();
	return 0;
}
