#define _GNU_SOURCE
#include "trace_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CTraceRecorder.h"

static bool directory_is_empty(int file)
{
	int copy = dup(file);
	DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;
	if (directory == NULL) {
		if (copy >= 0) close(copy);
		return false;
	}
	bool empty = true;
	for (struct dirent *entry = readdir(directory); entry != NULL && empty; entry = readdir(directory)) {
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	}
	closedir(directory);
	return empty;
}

static int accept_directory(int file)
{
	struct stat status;
	if (fstat(file, &status) != 0) return QS_SESSION_CANNOT_CREATE;
	if (status.st_uid != geteuid()) {
		errno = EPERM;
		return QS_SESSION_CANNOT_CREATE;
	}
	if (!directory_is_empty(file)) return QS_SESSION_EXISTS;
	// No other user may create files in it.
	return fchmod(file, 0700) == 0 ? QS_SESSION_OK : QS_SESSION_CANNOT_CREATE;
}

int qs_trace_directory_make(const char *path)
{
	if (mkdir(path, 0700) == 0) return QS_SESSION_OK;
	if (errno != EEXIST) return QS_SESSION_CANNOT_CREATE;
	// By descriptor, so that the checked directory is the changed one.
	int file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (file < 0) return errno == ENOTDIR || errno == ELOOP ? QS_SESSION_EXISTS : QS_SESSION_CANNOT_CREATE;
	int result = accept_directory(file);
	int error = errno;
	close(file);
	errno = error;
	return result;
}
