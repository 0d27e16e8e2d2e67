#ifdef QS_FRONT_END_PRELOAD

#define _GNU_SOURCE
#include "slot_pass.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hook_table.h"

// MARK: Objects

struct object {
	uintptr_t bias, begin, end;
	uintptr_t relro_begin, relro_end;
	bool is_runtime;
	const ElfW(Sym) *symbols;
	const char *strings;
	const uint16_t *versions;
	const ElfW(Verneed) *needed_versions;
	struct {
		const ElfW(Rela) *first;
		size_t bytes;
	} plt, other;
};

static bool contains(const struct object *object, uintptr_t address)
{
	return address - object->begin < object->end - object->begin;
}

static void read_segments(const struct dl_phdr_info *info, struct object *object, const ElfW(Dyn) **dynamic)
{
	*object = (struct object){.bias = info->dlpi_addr, .begin = UINTPTR_MAX};
	*dynamic = NULL;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		uintptr_t begin = info->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
		if (segment->p_type == PT_DYNAMIC) *dynamic = (const ElfW(Dyn) *)begin;
		if (segment->p_type == PT_GNU_RELRO) {
			object->relro_begin = begin;
			object->relro_end = end;
		}
		if (segment->p_type != PT_LOAD) continue;
		if (begin < object->begin) object->begin = begin;
		if (end > object->end) object->end = end;
	}
}

// Returns false for objects without dynamic symbols, and for relocations without addends, which the supported
// processors do not have.
static bool read_object(const struct dl_phdr_info *info, struct object *object)
{
	const ElfW(Dyn) *entry;
	read_segments(info, object, &entry);
	for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
		// glibc has added the bias, except in objects that it maps read-only.
		uintptr_t address = entry->d_un.d_ptr < object->bias ? entry->d_un.d_ptr + object->bias : entry->d_un.d_ptr;
		switch (entry->d_tag) {
		case DT_SYMTAB: object->symbols = (const ElfW(Sym) *)address; break;
		case DT_STRTAB: object->strings = (const char *)address; break;
		case DT_VERSYM: object->versions = (const uint16_t *)address; break;
		case DT_VERNEED: object->needed_versions = (const ElfW(Verneed) *)address; break;
		case DT_JMPREL: object->plt.first = (const ElfW(Rela) *)address; break;
		case DT_PLTRELSZ: object->plt.bytes = entry->d_un.d_val; break;
		case DT_PLTREL: if (entry->d_un.d_val != DT_RELA) return false; break;
		case DT_RELA: object->other.first = (const ElfW(Rela) *)address; break;
		case DT_RELASZ: object->other.bytes = entry->d_un.d_val; break;
		default: break;
		}
	}
	return object->symbols != NULL && object->strings != NULL;
}

// The version of a symbol that the object needs; NULL when it has none.
static const char *needed_version(const struct object *object, uint32_t symbol)
{
	enum { NUMBER = 0x7FFF, UNVERSIONED = 1 };
	if (object->versions == NULL || object->needed_versions == NULL) return NULL;
	uint16_t number = object->versions[symbol] & NUMBER;
	if (number <= UNVERSIONED) return NULL;
	for (const ElfW(Verneed) *file = object->needed_versions;;) {
		const ElfW(Vernaux) *version = (const ElfW(Vernaux) *)((const char *)file + file->vn_aux);
		for (int index = 0; index < file->vn_cnt; index++) {
			if ((version->vna_other & NUMBER) == number) return object->strings + version->vna_name;
			version = (const ElfW(Vernaux) *)((const char *)version + version->vna_next);
		}
		if (file->vn_next == 0) return NULL;
		file = (const ElfW(Verneed) *)((const char *)file + file->vn_next);
	}
}

// MARK: Slots

static const char own_object; // its address is inside of this object

#if defined(__x86_64__)
enum { PLT_SLOT = R_X86_64_JUMP_SLOT, DATA_SLOT = R_X86_64_GLOB_DAT, DATA_WORD = R_X86_64_64 };
#elif defined(__aarch64__)
enum { PLT_SLOT = R_AARCH64_JUMP_SLOT, DATA_SLOT = R_AARCH64_GLOB_DAT, DATA_WORD = R_AARCH64_ABS64 };
#else
#error "the relocations of this processor are not known"
#endif

// glibc protects these pages after the relocation. Returns whether the slot can be written.
static bool make_writable(struct qs_slot_pass *pass, const struct object *object, uintptr_t slot)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = object->relro_begin & -page, end = object->relro_end & -page;
	if (slot - begin >= end - begin || pass->open_end != 0) return true;
	if (mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE) != 0) return false;
	pass->open_begin = begin;
	pass->open_end = end;
	return true;
}

// The hook for a slot with this value; NULL when the slot belongs to another function.
static const struct qs_hook *hook_for(const struct object *object, const ElfW(Rela) *relocation, uintptr_t value)
{
	const struct qs_hook *hook = qs_hook_of_original(value);
	bool is_lazy = ELF64_R_TYPE(relocation->r_info) == PLT_SLOT && contains(object, value);
	if (hook == NULL && !is_lazy) return NULL;
	uint32_t symbol = ELF64_R_SYM(relocation->r_info);
	const char *name = object->strings + object->symbols[symbol].st_name;
	if (hook != NULL && strcmp(hook->name, name) == 0) return hook;
	// Not bound yet: the value is in the object's own procedure linkage table. Or two functions have one address.
	const struct qs_hook *named = qs_hook_named(name, needed_version(object, symbol));
	return hook == NULL || (named != NULL && qs_hook_original(named) == value) ? named : hook;
}

// Libraries that call exported hooks often.
static bool is_runtime(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	static const char dispatch[] = "libdispatch", swift[] = "libswift";
	return strncmp(name, dispatch, sizeof dispatch - 1) == 0 || strncmp(name, swift, sizeof swift - 1) == 0;
}

// The new value of a slot; 0 when it stays as it is.
static uintptr_t wanted_value(
	const struct qs_slot_pass *pass, const struct object *object, const ElfW(Rela) *relocation,
	uintptr_t value)
{
	bool may_be_unbound = !pass->restores || pass->only_runtime;
	const struct qs_hook *hook = may_be_unbound ? hook_for(object, relocation, value) : NULL;
	if (!pass->restores) return hook != NULL ? hook->address : 0;
	const struct qs_hook *installed = qs_hook_at(value);
	if (installed == NULL && hook != NULL && hook->is_exported) installed = hook;
	if (installed == NULL || (installed->is_exported && !object->is_runtime)) return 0;
	return qs_hook_original(installed);
}

static void visit_slots(
	struct qs_slot_pass *pass, const struct object *object, const ElfW(Rela) *relocations, size_t bytes)
{
	for (size_t index = 0; index < bytes / sizeof *relocations; index++) {
		const ElfW(Rela) *relocation = &relocations[index];
		uint32_t type = ELF64_R_TYPE(relocation->r_info);
		if (type != PLT_SLOT && type != DATA_SLOT && type != DATA_WORD) continue;
		if (ELF64_R_SYM(relocation->r_info) == 0 || relocation->r_addend != 0) continue;
		uintptr_t *slot = (uintptr_t *)(object->bias + relocation->r_offset);
		if ((uintptr_t)slot % sizeof *slot != 0) continue;
		uintptr_t value = __atomic_load_n(slot, __ATOMIC_RELAXED);
		uintptr_t wanted = wanted_value(pass, object, relocation, value);
		if (wanted == 0 || wanted == value || !make_writable(pass, object, (uintptr_t)slot)) continue;
		__atomic_store_n(slot, wanted, __ATOMIC_RELEASE);
	}
}

int qs_slots_visit_object(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct qs_slot_pass *pass = context;
	pass->has_changed |= !pass->restores && info->dlpi_subs != pass->subs;
	if (pass->has_changed || pass->objects-- == 0) return 1;
	struct object object;
	if (!read_object(info, &object) || contains(&object, (uintptr_t)&own_object)) return 0;
	object.is_runtime = is_runtime(info->dlpi_name);
	if (pass->only_runtime && !object.is_runtime) return 0;
	pass->open_end = 0;
	visit_slots(pass, &object, object.plt.first, object.plt.bytes);
	visit_slots(pass, &object, object.other.first, object.other.bytes);
	if (pass->open_end != 0) mprotect((void *)pass->open_begin, pass->open_end - pass->open_begin, PROT_READ);
	return 0;
}

#endif
