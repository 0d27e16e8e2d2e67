// An object that is loaded into a running process. Its entry function appends a letter to a file.
#include <fcntl.h>
#include <unistd.h>

#ifdef WITH_UNKNOWN_FUNCTION
void missing_function(void);
#endif

__attribute__((visibility("default"))) int qs_attach(void)
{
#ifdef WITH_UNKNOWN_FUNCTION
	missing_function();
#endif
	int file = open(MARK, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (file < 0) return 1;
	ssize_t written = write(file, "x", 1);
	close(file);
	return written == 1 ? 0 : 2;
}
