#define _GNU_SOURCE
#include "swift_runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tasks.h"

struct qs_swift_runtime qs_swift_runtime;
struct qs_text_range qs_runtime_places[QS_RUNTIME_PLACES];
enum qs_task_detail qs_task_detail;
const char *qs_task_detail_reason = "";

// Where the library that holds an address was mapped, and its file.
struct mapped_file {
	uintptr_t address;
	uintptr_t bias;
	const char *path;
};

static int look_into_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct mapped_file *file = context;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type != PT_LOAD) continue;
		if (file->address - (info->dlpi_addr + segment->p_vaddr) >= segment->p_memsz) continue;
		file->bias = info->dlpi_addr;
		file->path = info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe";
		return 1;
	}
	return 0;
}

// The functions, as the compiler of the runtime names them. The last two are the runtime's own, and so not in the table
// of exported symbols.
static const struct {
	enum qs_runtime_place place;
	const char *prefix;
} functions[] = {
	{QS_IN_JOB_START, "_ZN5swift34runJobInEstablishedExecutorContextE"},
	{QS_IN_ACTOR_UNLOCK, "_ZN12_GLOBAL__N_116DefaultActorImpl6unlockE"},
	{QS_IN_COMPLETE, "_ZL16completeTaskImplP"},
	{QS_IN_SWITCH, "swift_task_switch"},
	{QS_IN_ENQUEUE, "swift_task_enqueue"},
	{QS_IN_ENQUEUE_GLOBAL, "swift_task_enqueueGlobal"},
	{QS_IN_CANCEL, "swift_task_cancel"},
	{QS_IN_ESCALATE, "swift_task_escalate"},
};

static bool is_named(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);
	// A C function's whole name; of a C++ function's the parameters follow.
	return strncmp(name, prefix, length) == 0 && (prefix[0] == '_' || name[length] == 0);
}

static void note_symbols(const ElfW(Sym) *symbols, size_t count, const char *strings, size_t string_bytes, uintptr_t bias)
{
	for (size_t index = 0; index < count; index++) {
		const ElfW(Sym) *symbol = &symbols[index];
		if ((symbol->st_info & 0xF) != STT_FUNC || symbol->st_value == 0 || symbol->st_name >= string_bytes) continue;
		const char *name = strings + symbol->st_name;
		if (name[0] != 's' && name[0] != '_') continue;
		for (size_t function = 0; function < sizeof functions / sizeof functions[0]; function++) {
			if (!is_named(name, functions[function].prefix)) continue;
			qs_runtime_places[functions[function].place] =
				(struct qs_text_range){bias + symbol->st_value, symbol->st_size};
		}
	}
}

// Reads the file's own table of symbols, which also has the functions that it does not export.
static void read_symbols(const unsigned char *file, size_t size, uintptr_t bias)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file;
	if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
	if (header->e_shentsize != sizeof(ElfW(Shdr)) || header->e_shoff > size
		|| (size - header->e_shoff) / sizeof(ElfW(Shdr)) < header->e_shnum) return;
	const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + header->e_shoff);
	for (size_t index = 0; index < header->e_shnum; index++) {
		const ElfW(Shdr) *table = &sections[index];
		if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum) continue;
		const ElfW(Shdr) *strings = &sections[table->sh_link];
		if (table->sh_offset > size || table->sh_size > size - table->sh_offset) continue;
		if (strings->sh_offset > size || strings->sh_size > size - strings->sh_offset || strings->sh_size == 0) continue;
		const char *text = (const char *)(file + strings->sh_offset);
		if (text[strings->sh_size - 1] != 0) continue;
		note_symbols((const ElfW(Sym) *)(file + table->sh_offset), table->sh_size / sizeof(ElfW(Sym)), text,
			strings->sh_size, bias);
	}
}

static void find_places(void)
{
	struct mapped_file image = {.address = (uintptr_t)qs_swift_runtime.task_id, .path = ""};
	dl_iterate_phdr(look_into_image, &image);
	int file = open(image.path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
		void *content = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
		if (content != MAP_FAILED) {
			read_symbols(content, (size_t)status.st_size, image.bias);
			munmap(content, (size_t)status.st_size);
		}
	}
	if (file >= 0) close(file);
}

// The file may be another one than what was mapped: then its functions lie elsewhere.
static bool are_places_of_this_runtime(void)
{
	return qs_runtime_places[QS_IN_SWITCH].begin == (uintptr_t)qs_originals.swift_task_switch
		&& qs_runtime_places[QS_IN_ENQUEUE].begin == (uintptr_t)qs_swift_runtime.enqueue;
}

// Tasks of Swift 6.2 and later have 208 bytes and a name. Where the runtime changes them it says so by these numbers.
static bool is_layout_known(void)
{
	return qs_swift_runtime.layout_version != NULL && *qs_swift_runtime.layout_version == 1
		&& qs_swift_runtime.task_size != NULL && *qs_swift_runtime.task_size == 208 && qs_swift_runtime.task_name != NULL;
}

static bool has_all_places(void)
{
	return qs_runtime_places[QS_IN_JOB_START].size != 0 && qs_runtime_places[QS_IN_ACTOR_UNLOCK].size != 0
		&& qs_runtime_places[QS_IN_COMPLETE].size != 0;
}

void qs_swift_runtime_prepare(void)
{
	const struct qs_swift_runtime *runtime = &qs_swift_runtime;
	if (runtime->get_current == NULL || runtime->get_current_executor == NULL || runtime->task_id == NULL) return;
	qs_task_detail_reason = "the Swift runtime does not tell what its tasks do";
	if (runtime->tsan_acquire == NULL || runtime->tsan_release == NULL) return;
	find_places();
	qs_task_detail_reason = "the Swift runtime has no table of symbols: it is stripped";
	if (!has_all_places()) return;
	qs_task_detail_reason = "the Swift runtime's file was replaced since the program started";
	if (!are_places_of_this_runtime()) return;
	qs_task_detail = is_layout_known() ? qs_task_detail_full : qs_task_detail_no_awaits;
	qs_task_detail_reason = is_layout_known() ? "" : "what tasks await is not known for this version of the Swift runtime";
	qs_tasks_follow_runtime();
}
