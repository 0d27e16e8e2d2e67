// I/O channels over a pipe and a file: write, read, barrier, close, water marks, a path that does not exist.
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static dispatch_data_t text(const char *string, size_t size)
{
	return dispatch_data_create(string, size, NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("io", NULL);
	dispatch_semaphore_t step = dispatch_semaphore_create(0);
	int ends[2];
	CHECK(pipe(ends) == 0);
	int reader = ends[0], writer = ends[1];

	// The ends of the pipe close in any order. The program prints nothing before both are closed.
	__block bool wrote = false, closed = false;
	__block size_t received = 0;
	dispatch_io_t output = dispatch_io_create(DISPATCH_IO_STREAM, writer, queue, ^(int error) {
		CHECK(error == 0);
		close(writer);
		closed = true;
		dispatch_semaphore_signal(step);
	});
	dispatch_io_t input = dispatch_io_create(DISPATCH_IO_STREAM, reader, queue, ^(int error) {
		CHECK(error == 0);
		close(reader);
		dispatch_semaphore_signal(step);
	});
	CHECK(dispatch_io_get_descriptor(output) == writer);
	dispatch_io_set_low_water(input, 16);
	dispatch_io_set_high_water(input, 512);
	// Reads by length, because libdispatch sometimes misses the end of a pipe's stream on Linux.
	dispatch_io_read(input, 0, 128, queue, ^(bool done, dispatch_data_t data, int error) {
		CHECK(error == 0);
		received += data ? dispatch_data_get_size(data) : 0;
		if (done)
			dispatch_io_close(input, 0);
	});
	for (int i = 0; i < 4; i++) {
		dispatch_data_t chunk = text("0123456789ABCDEF0123456789ABCDEF", 32);
		dispatch_io_write(output, 0, chunk, queue, ^(bool done, dispatch_data_t data, int error) {
			CHECK(error == 0 && done && data == NULL);
		});
		dispatch_release(chunk);
	}
	dispatch_io_barrier(output, ^{
		CHECK(!closed);
		wrote = true;
	});
	dispatch_io_close(output, 0);
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	CHECK(wrote && closed);
	printf("closed after %zu\n", received);

	char path[] = "/tmp/queuescope-io.XXXXXX";
	int file = mkstemp(path);
	CHECK(file >= 0 && write(file, "hello, channel", 14) == 14 && close(file) == 0);
	dispatch_io_t random = dispatch_io_create_with_path(DISPATCH_IO_RANDOM, path, O_RDONLY, 0, queue, ^(int error) {
		CHECK(error == 0);
		dispatch_semaphore_signal(step);
	});
	dispatch_io_read(random, 7, 7, queue, ^(bool done, dispatch_data_t data, int error) {
		CHECK(error == 0);
		if (data && dispatch_data_get_size(data) > 0) {
			const void *bytes;
			size_t size;
			dispatch_data_t map = dispatch_data_create_map(data, &bytes, &size);
			printf("%.*s\n", (int)size, (const char *)bytes);
			dispatch_release(map);
		}
		if (done)
			dispatch_io_close(random, DISPATCH_IO_STOP);
	});
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	unlink(path);

	dispatch_io_t missing = dispatch_io_create_with_path(
		DISPATCH_IO_STREAM, "/nonexistent/file", O_RDONLY, 0, queue, ^(int error) {
			CHECK(error == ENOENT);
			dispatch_semaphore_signal(step);
		});
	dispatch_io_read(missing, 0, 1, queue, ^(bool done, dispatch_data_t data, int error) {
		(void)data;
		CHECK(done);
		CHECK(error == ENOENT);
		dispatch_semaphore_signal(step);
	});
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	dispatch_release(missing);
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	void (^unused)(int) = ^(int error) { (void)error; };
	CHECK(dispatch_io_create_with_path(DISPATCH_IO_STREAM, "relative", O_RDONLY, 0, queue, unused) == NULL);
	puts("missing file reported");
	return 0;
}
