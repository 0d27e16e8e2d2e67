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

// The library that holds an address: where it was mapped, its file, and the index of its unwind tables.
struct mapped_file {
	uintptr_t address;
	uintptr_t bias;
	const char *path;
	const unsigned char *unwind_index;
	size_t unwind_index_size;
};

static int look_into_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct mapped_file *file = context;
	bool is_found = false;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && file->address - begin < segment->p_memsz) is_found = true;
		if (segment->p_type != PT_GNU_EH_FRAME) continue;
		file->unwind_index = (const unsigned char *)begin;
		file->unwind_index_size = segment->p_memsz;
	}
	if (!is_found) {
		file->unwind_index = NULL;
		return 0;
	}
	file->bias = info->dlpi_addr;
	file->path = info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe";
	return 1;
}

// MARK: Address ranges of exported functions

// The index of the unwind tables (.eh_frame_hdr), in the only format that linkers write: the start addresses of all
// functions, sorted. Stripped libraries and static programs also have this index.
struct unwind_index {
	uint8_t version, pointer_encoding, count_encoding, table_encoding;
	int32_t tables;
	uint32_t count;
	struct {
		int32_t function;  // from the beginning of the index
		int32_t entry;
	} functions[];
};

enum { PC_RELATIVE_4 = 0x1B, UNSIGNED_4 = 0x03, INDEX_RELATIVE_4 = 0x3B };

// The range from the start of a function to the start of the next one; empty when the index has no such entry.
static struct qs_text_range range_of(const struct mapped_file *file, const void *function)
{
	struct qs_text_range none = {0, 0};
	const struct unwind_index *index = (const struct unwind_index *)file->unwind_index;
	if (function == NULL || index == NULL || file->unwind_index_size < sizeof *index) return none;
	if (index->version != 1 || index->pointer_encoding != PC_RELATIVE_4 || index->count_encoding != UNSIGNED_4
		|| index->table_encoding != INDEX_RELATIVE_4
		|| (file->unwind_index_size - sizeof *index) / sizeof index->functions[0] < index->count) return none;
	intptr_t wanted = (intptr_t)function - (intptr_t)index;
	uint32_t first = 0, end = index->count;
	while (first < end) {
		uint32_t middle = first + (end - first) / 2;
		if (index->functions[middle].function < wanted) first = middle + 1;
		else end = middle;
	}
	if (first + 1 >= index->count || index->functions[first].function != wanted) return none;
	uintptr_t size = (uintptr_t)(index->functions[first + 1].function - index->functions[first].function);
	return (struct qs_text_range){(uintptr_t)function, size};
}

// MARK: Address ranges of functions that the runtime does not export

// The mangled names in C++ up to the parameters.
static const char completion[] = "_ZL16completeTaskImplP";
static const char group_cancellation[] = "_ZN5swift23_swift_taskGroup_cancelE";
// A closure of the function that cancels a task. It cancels the task's children, and calls itself for their children.
static const char closure[] = "_ZN7__swift9__runtime4llvm12function_ref";
static const char cancellation[] = "callback_fnIZL21swift_task_cancelImpl";

struct file_symbols {
	struct qs_text_range completion, group_cancellation, child_cancellation;
	uintptr_t task_switch;
};

#define QS_BEGINS_WITH(name, beginning) (strncmp(name, beginning, sizeof(beginning) - 1) == 0)

static void note_symbols(const ElfW(Sym) *symbols, size_t count, const char *strings, size_t string_bytes,
	struct file_symbols *found)
{
	for (size_t index = 0; index < count; index++) {
		const ElfW(Sym) *symbol = &symbols[index];
		if ((symbol->st_info & 0xF) != STT_FUNC || symbol->st_value == 0 || symbol->st_name >= string_bytes) continue;
		const char *name = strings + symbol->st_name;
		struct qs_text_range range = {symbol->st_value, symbol->st_size};
		if (QS_BEGINS_WITH(name, completion)) {
			found->completion = range;
		} else if (QS_BEGINS_WITH(name, group_cancellation)) {
			found->group_cancellation = range;
		} else if (QS_BEGINS_WITH(name, closure) && strstr(name, cancellation) != NULL) {
			found->child_cancellation = range;
		} else if (strcmp(name, "swift_task_switch") == 0) {
			found->task_switch = symbol->st_value;
		}
	}
}

// Reads the file's symbol table (.symtab), which also contains functions that are not exported.
static void read_symbols(const unsigned char *file, size_t size, struct file_symbols *found)
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
		if (strings->sh_offset > size || strings->sh_size > size - strings->sh_offset) continue;
		if (strings->sh_size == 0) continue;
		const char *text = (const char *)(file + strings->sh_offset);
		if (text[strings->sh_size - 1] != 0) continue;
		note_symbols((const ElfW(Sym) *)(file + table->sh_offset), table->sh_size / sizeof(ElfW(Sym)), text,
			strings->sh_size, found);
	}
}

static struct file_symbols symbols_of(const struct mapped_file *image)
{
	struct file_symbols found = {{0, 0}, {0, 0}, {0, 0}, 0};
	int file = open(image->path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
		void *content = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
		if (content != MAP_FAILED) {
			read_symbols(content, (size_t)status.st_size, &found);
			munmap(content, (size_t)status.st_size);
		}
	}
	if (file >= 0) close(file);
	return found;
}

// MARK: Level of detail

// Tasks of Swift 6.2 and later have 208 bytes and a name. The runtime changes these numbers when the layout changes.
static bool is_layout_known(void)
{
	return qs_swift_runtime.layout_version != NULL && *qs_swift_runtime.layout_version == 1
		&& qs_swift_runtime.task_size != NULL && *qs_swift_runtime.task_size == 208
		&& qs_swift_runtime.task_name != NULL;
}

// The range of a function in memory; empty when the file does not have its symbol.
static struct qs_text_range mapped(struct qs_text_range in_file, const struct mapped_file *image)
{
	if (in_file.size != 0) in_file.begin += image->bias;
	return in_file;
}

static enum qs_task_detail find_places(void)
{
	const struct qs_swift_runtime *runtime = &qs_swift_runtime;
	struct mapped_file image = {.address = (uintptr_t)runtime->task_id, .path = ""};
	dl_iterate_phdr(look_into_image, &image);
	qs_runtime_places[QS_IN_SWITCH] = range_of(&image, (const void *)qs_originals.swift_task_switch);
	qs_runtime_places[QS_IN_ENQUEUE] = range_of(&image, runtime->enqueue);
	qs_runtime_places[QS_IN_ENQUEUE_GLOBAL] = range_of(&image, runtime->enqueue_global);
	qs_runtime_places[QS_IN_CANCEL] = range_of(&image, runtime->cancel);
	qs_runtime_places[QS_IN_ESCALATE] = range_of(&image, runtime->escalate);
	qs_runtime_places[QS_IN_GROUP_NEXT] = range_of(&image, runtime->group_next);
	for (int place = QS_IN_SWITCH; place <= QS_IN_ENQUEUE_GLOBAL; place++) {
		if (qs_runtime_places[place].size != 0) continue;
		qs_task_detail_reason = "the Swift runtime's unwind tables do not say where its functions lie";
		return qs_task_detail_none;
	}
	struct file_symbols symbols = symbols_of(&image);
	// The file may differ from the mapped library; the addresses of its functions are different then.
	bool is_same_file = image.bias + symbols.task_switch == qs_runtime_places[QS_IN_SWITCH].begin;
	if (is_same_file) {
		qs_runtime_places[QS_IN_CANCEL_CHILDREN] = mapped(symbols.child_cancellation, &image);
		qs_runtime_places[QS_IN_CANCEL_GROUP] = mapped(symbols.group_cancellation, &image);
	}
	if (is_layout_known()) {
		qs_task_detail_reason = "";
		return qs_task_detail_full;
	}
	// Without the layout, the completion of a task is detected by the function that calls ThreadSanitizer.
	if (symbols.completion.size == 0 || !is_same_file) {
		qs_task_detail_reason = "this version of the Swift runtime is not known, and it is stripped";
		return qs_task_detail_none;
	}
	qs_runtime_places[QS_IN_COMPLETE] = mapped(symbols.completion, &image);
	qs_task_detail_reason = "what tasks await is not known for this version of the Swift runtime";
	return qs_task_detail_no_awaits;
}

void qs_swift_runtime_prepare(void)
{
	static bool is_prepared;
	const struct qs_swift_runtime *runtime = &qs_swift_runtime;
	if (runtime->get_current == NULL || runtime->get_current_executor == NULL || runtime->task_id == NULL) return;
	if (__atomic_exchange_n(&is_prepared, true, __ATOMIC_RELAXED)) return;
	qs_task_detail_reason = "the Swift runtime does not tell what its tasks do";
	if (runtime->tsan_acquire == NULL || runtime->tsan_release == NULL) return;
	enum qs_task_detail detail = find_places();
	if (detail == qs_task_detail_none) return;
	// Pairs with the load in qs_tasks_are_followed: the ranges are written before.
	__atomic_store_n(&qs_task_detail, detail, __ATOMIC_RELEASE);
	// Only when the runtime was loaded during a session; otherwise the start of the session does this.
	if (!qs_is_recording()) return;
	qs_tasks_follow_runtime();
	qs_tasks_define();
}
