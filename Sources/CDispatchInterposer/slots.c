#ifdef QS_FRONT_END_PRELOAD

#define _GNU_SOURCE
#include "slots.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conditions.h"
#include "hook_table.h"

static const int64_t MILLISECOND = 1000 * 1000;

enum {
	// A thread that resolves a lazy slot during the installation can overwrite the hook, so slots are installed twice.
	SECOND_PASS_MS = 20,
	// Library that is being opened by a caller that does not wait: how often to look, and for how long.
	EXPECTED_PAUSE_MS = 1,
	EXPECTED_MS = 200,
	// Attempts to find a moment in which no library is closed.
	ATTEMPTS = 8,
};

static struct {
	struct qs_lock lock;      // taken after the loader's lock, or without it
	bool is_installed;        // atomic
	uint64_t adds;            // libraries that were loaded before the last pass
	bool needs_second_pass;   // atomic
	uint32_t opening;         // atomic: threads between qs_slots_open_begin and qs_slots_open_end
	uint32_t expected;        // atomic: counts announcements of libraries
	uint32_t seen_expected;   // only the recorder thread
	int64_t expected_until_ns;
	int64_t second_pass_ns;
} slots;

static __thread uint32_t own_opening __attribute__((tls_model("initial-exec"))); // part of slots.opening

// The child has no other threads that could release the lock, or return from dlopen.
static void after_fork_in_child(void)
{
	slots.lock = (struct qs_lock){0};
	slots.opening = own_opening;
}

static __attribute__((constructor)) void register_fork_handler(void)
{
	pthread_atfork(NULL, NULL, after_fork_in_child);
}

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

#if defined(__x86_64__)
enum { PLT_SLOT = R_X86_64_JUMP_SLOT, DATA_SLOT = R_X86_64_GLOB_DAT, DATA_WORD = R_X86_64_64 };
#elif defined(__aarch64__)
enum { PLT_SLOT = R_AARCH64_JUMP_SLOT, DATA_SLOT = R_AARCH64_GLOB_DAT, DATA_WORD = R_AARCH64_ABS64 };
#else
#error "the relocations of this processor are not known"
#endif

struct pass {
	bool restores;
	bool only_runtime;           // visits libdispatch and the Swift runtime only
	size_t objects;              // objects to visit, in the order of the loader's list
	uint64_t subs;               // libraries that were closed before these objects were listed
	bool has_changed;            // a library was closed since
	uintptr_t open_begin, open_end; // pages of the current object that were made writable
};

// glibc protects these pages after the relocation. Returns whether the slot can be written.
static bool make_writable(struct pass *pass, const struct object *object, uintptr_t slot)
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
	const struct pass *pass, const struct object *object, const ElfW(Rela) *relocation, uintptr_t value)
{
	bool may_be_unbound = !pass->restores || pass->only_runtime;
	const struct qs_hook *hook = may_be_unbound ? hook_for(object, relocation, value) : NULL;
	if (!pass->restores) return hook != NULL ? hook->address : 0;
	const struct qs_hook *installed = qs_hook_at(value);
	if (installed == NULL && hook != NULL && hook->is_exported) installed = hook;
	if (installed == NULL || (installed->is_exported && !object->is_runtime)) return 0;
	return qs_hook_original(installed);
}

static void visit_slots(struct pass *pass, const struct object *object, const ElfW(Rela) *relocations, size_t bytes)
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

static int visit_object(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct pass *pass = context;
	pass->has_changed |= !pass->restores && info->dlpi_subs != pass->subs;
	if (pass->has_changed || pass->objects-- == 0) return 1;
	struct object object;
	if (!read_object(info, &object) || contains(&object, (uintptr_t)&slots)) return 0;
	object.is_runtime = is_runtime(info->dlpi_name);
	if (pass->only_runtime && !object.is_runtime) return 0;
	pass->open_end = 0;
	visit_slots(pass, &object, object.plt.first, object.plt.bytes);
	visit_slots(pass, &object, object.other.first, object.other.bytes);
	if (pass->open_end != 0) mprotect((void *)pass->open_begin, pass->open_end - pass->open_begin, PROT_READ);
	return 0;
}

// MARK: Installation

struct list {
	size_t objects;
	uint64_t adds, subs;
};

static int list_object(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct list *list = context;
	list->objects++;
	list->adds = info->dlpi_adds;
	list->subs = info->dlpi_subs;
	return 0;
}

// An object is in the loader's list before it is relocated, and the relocation would add the object's base to a hook's
// address. The loader's lock is held during the whole dlopen, and dladdr takes it: the objects that were listed before
// this call are relocated after it. New objects are added at the end of the list.
static struct list list_relocated_objects(void)
{
	struct list list = {0};
	dl_iterate_phdr(list_object, &list);
	Dl_info ignored;
	// Without libdl, before glibc 2.34, the process cannot open a library.
	if (dladdr != NULL) dladdr((void *)list_relocated_objects, &ignored);
	return list;
}

// Takes the lock, unless it is held for longer than this. A signal handler that interrupts a pass of its own thread
// must not wait for it.
static bool begin_pass(int milliseconds)
{
	if (qs_thread_inside || qs_thread_is_sandboxed) return false;
	qs_thread_inside = true;
	if (qs_lock_take_within(&slots.lock, milliseconds)) return true;
	qs_thread_inside = false;
	return false;
}

static void end_pass(void)
{
	qs_lock_give_back(&slots.lock);
	qs_thread_inside = false;
}

// Returns false when a library was closed during the pass.
static bool visit_listed_objects(const struct list *list)
{
	struct pass pass = {.objects = list->objects, .subs = list->subs};
	dl_iterate_phdr(visit_object, &pass);
	if (!pass.has_changed) slots.adds = list->adds;
	return !pass.has_changed;
}

// Returns false when another pass did not end within this time, or when libraries were closed during all attempts.
static bool install(bool begins, int milliseconds)
{
	bool is_done = false;
	for (int attempt = 0; attempt < ATTEMPTS && !is_done; attempt++) {
		struct list list = list_relocated_objects();
		qs_hooks_find_originals();
		if (!begin_pass(milliseconds)) return false;
		if (begins) __atomic_store_n(&slots.is_installed, true, __ATOMIC_RELEASE);
		begins = false;
		// The session may have ended since.
		is_done = !__atomic_load_n(&slots.is_installed, __ATOMIC_RELAXED) || visit_listed_objects(&list);
		end_pass();
	}
	return is_done;
}

void qs_slots_release_runtime(void)
{
	qs_hooks_find_originals();
	if (!begin_pass(QS_PATIENT_LOCK_MS)) return;
	struct pass pass = {.restores = true, .only_runtime = true, .objects = SIZE_MAX};
	dl_iterate_phdr(visit_object, &pass);
	end_pass();
}

void qs_slots_install(void)
{
	int saved_errno = errno;
	__atomic_store_n(&slots.needs_second_pass, true, __ATOMIC_RELAXED);
	install(true, QS_PATIENT_LOCK_MS);
	errno = saved_errno;
}

static int read_adds(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	*(uint64_t *)context = info->dlpi_adds;
	return 1;
}

static bool has_new_library(void)
{
	uint64_t adds = 0;
	dl_iterate_phdr(read_adds, &adds);
	return adds != __atomic_load_n(&slots.adds, __ATOMIC_RELAXED);
}

void qs_slots_open_begin(void)
{
	own_opening++;
	__atomic_fetch_add(&slots.opening, 1, __ATOMIC_RELAXED);
}

void qs_slots_open_end(void)
{
	int saved_errno = errno;
	__atomic_fetch_sub(&slots.opening, 1, __ATOMIC_RELAXED);
	own_opening--;
	bool is_due = __atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE) && has_new_library();
	// When another thread is stopped within a pass, the recorder thread installs the slots after it.
	if (is_due && !install(false, QS_LOCK_MS)) qs_slots_expect_library();
	errno = saved_errno;
}

void qs_slots_expect_library(void)
{
	if (!__atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE)) return;
	int saved_errno = errno;
	__atomic_fetch_add(&slots.expected, 1, __ATOMIC_RELAXED);
	if (!qs_thread_is_sandboxed) qs_session_hooks_wake();
	errno = saved_errno;
}

int64_t qs_slots_tick(int64_t now_ns)
{
	if (!__atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE)) return INT64_MAX;
	if (__atomic_exchange_n(&slots.needs_second_pass, false, __ATOMIC_RELAXED)) {
		slots.second_pass_ns = now_ns + SECOND_PASS_MS * MILLISECOND;
	}
	bool is_second = now_ns >= slots.second_pass_ns;
	uint32_t expected = __atomic_load_n(&slots.expected, __ATOMIC_RELAXED);
	if (expected != slots.seen_expected) slots.expected_until_ns = now_ns + EXPECTED_MS * MILLISECOND;
	slots.seen_expected = expected;
	// A thread that opens a library installs the slots itself. The recorder thread would wait for the library's
	// constructors.
	bool is_opening = __atomic_load_n(&slots.opening, __ATOMIC_RELAXED) != 0;
	bool is_due = is_second || (!is_opening && has_new_library());
	bool is_done = !is_due || install(false, QS_LOCK_MS);
	if (is_second) slots.second_pass_ns = is_done ? INT64_MAX : now_ns + SECOND_PASS_MS * MILLISECOND;
	bool expects = now_ns < slots.expected_until_ns;
	return expects ? now_ns + EXPECTED_PAUSE_MS * MILLISECOND : slots.second_pass_ns;
}

void qs_slots_restore(void)
{
	if (!__atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE)) return;
	int saved_errno = errno;
	bool was_inside = qs_thread_inside;
	qs_thread_inside = false;
	if (begin_pass(QS_PATIENT_LOCK_MS)) {
		__atomic_store_n(&slots.is_installed, false, __ATOMIC_RELEASE);
		struct pass pass = {.restores = true, .objects = SIZE_MAX};
		dl_iterate_phdr(visit_object, &pass);
		end_pass();
	}
	qs_thread_inside = was_inside;
	errno = saved_errno;
}

#endif
