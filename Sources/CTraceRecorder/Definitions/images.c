#define _GNU_SOURCE
#include "images.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../Events/identity.h"
#include "../System/elf_notes.h"
#include "CTraceRecorder.h"

// The loader's counter of loaded libraries when the images were last written, and the definitions number at that time.
static uint64_t written_adds;
static uint32_t written_epoch;

static bool is_wanted; // atomic: code was recorded that may be in a newly loaded library

// Static, because the stack may be small.
static char executable_path[PATH_MAX];
static char whole_path[PATH_MAX]; // guarded by the loader's lock

static size_t put_hexadecimal(char *out, const unsigned char *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t index = 0; index < count; index++) {
		out[2 * index] = digits[bytes[index] >> 4];
		out[2 * index + 1] = digits[bytes[index] & 15];
	}
	return 2 * count;
}

// GNU build id from the note segment, in hexadecimal. Returns its length, 0 when there is none.
static size_t build_id(const struct dl_phdr_info *info, const ElfW(Phdr) *segment, char *out, size_t size)
{
	size_t count;
	const unsigned char *id = qs_elf_note(info, segment, "GNU", NT_GNU_BUILD_ID, &count);
	return id != NULL && 2 * count <= size ? put_hexadecimal(out, id, count) : 0;
}

static int note_adds(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	*(uint64_t *)context = info->dlpi_adds;
	return 1;
}

static int record_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	bool *is_executable = context;
	uint64_t begin = UINT64_MAX, end = 0;
	char id[128];
	size_t id_length = 0;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type == PT_NOTE && id_length == 0) id_length = build_id(info, segment, id, sizeof id);
		if (segment->p_type != PT_LOAD) continue;
		uint64_t from = info->dlpi_addr + segment->p_vaddr;
		if (from < begin) begin = from;
		if (from + segment->p_memsz > end) end = from + segment->p_memsz;
	}
	const char *path = info->dlpi_name;
	if (*is_executable) path = executable_path; // the first image has no name
	// A relative path refers to the working directory at the time of loading, which has usually not changed.
	else if (strchr(path, '/') != NULL && path[0] != '/' && realpath(path, whole_path) != NULL) path = whole_path;
	*is_executable = false;
	if (end != 0) qs_record_image(info->dlpi_addr, begin, end, id, id_length, path, strlen(path));
	return 0;
}

void qs_images_find_executable(void)
{
	ssize_t length = readlink("/proc/self/exe", executable_path, sizeof executable_path - 1);
	executable_path[length > 0 ? length : 0] = 0;
}

void qs_images_request(void)
{
	__atomic_store_n(&is_wanted, true, __ATOMIC_RELEASE);
}

bool qs_images_are_wanted(void)
{
	return __atomic_load_n(&is_wanted, __ATOMIC_ACQUIRE);
}

bool qs_images_take_request(void)
{
	return __atomic_exchange_n(&is_wanted, false, __ATOMIC_ACQUIRE);
}

void qs_images_record(void)
{
	if (qs_identity.is_joined) return;
	uint64_t adds = 0;
	dl_iterate_phdr(note_adds, &adds);
	uint32_t epoch = qs_definitions_number();
	// If two threads get here at the same time, the images are written twice, which is harmless.
	if (__atomic_load_n(&written_epoch, __ATOMIC_ACQUIRE) == epoch
		&& __atomic_load_n(&written_adds, __ATOMIC_RELAXED) == adds) return;
	__atomic_store_n(&written_adds, adds, __ATOMIC_RELAXED);
	__atomic_store_n(&written_epoch, epoch, __ATOMIC_RELEASE);
	bool is_executable = true;
	dl_iterate_phdr(record_image, &is_executable);
}
