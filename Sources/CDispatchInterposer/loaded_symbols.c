#define _GNU_SOURCE
#include "loaded_symbols.h"

#include <link.h>
#include <stdint.h>
#include <string.h>

// Tables in the dynamic section of a loaded object.
struct symbol_tables {
	const ElfW(Sym) *symbols;
	const char *strings;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const uint16_t *versions;            // NULL: the object has none
	const ElfW(Verdef) *definitions;
};

// For most processors glibc relocates the addresses in dynamic sections in place. Other C libraries do not.
static const void *table(uintptr_t bias, uintptr_t address)
{
	return (const void *)(address < bias ? bias + address : address);
}

static bool read_tables(const struct dl_phdr_info *info, struct symbol_tables *tables)
{
	*tables = (struct symbol_tables){0};
	const ElfW(Dyn) *entry = NULL;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(info->dlpi_addr + segment->p_vaddr);
	}
	for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
		const void *content = table(info->dlpi_addr, entry->d_un.d_ptr);
		switch (entry->d_tag) {
		case DT_SYMTAB: tables->symbols = content; break;
		case DT_STRTAB: tables->strings = content; break;
		case DT_GNU_HASH: tables->gnu_hash = content; break;
		case DT_HASH: tables->hash = content; break;
		case DT_VERSYM: tables->versions = content; break;
		case DT_VERDEF: tables->definitions = content; break;
		default: break;
		}
	}
	return tables->symbols != NULL && tables->strings != NULL;
}

static const char *version_name(const struct symbol_tables *tables, uint16_t number)
{
	const ElfW(Verdef) *definition = tables->definitions;
	while (definition != NULL && definition->vd_ndx != number) {
		if (definition->vd_next == 0) return "";
		definition = (const ElfW(Verdef) *)((const char *)definition + definition->vd_next);
	}
	if (definition == NULL) return "";
	const ElfW(Verdaux) *name = (const ElfW(Verdaux) *)((const char *)definition + definition->vd_aux);
	return tables->strings + name->vda_name;
}

static bool has_version(const struct symbol_tables *tables, uint32_t index, const char *version)
{
	enum { HIDDEN = 0x8000, UNVERSIONED = 1 };
	if (tables->versions == NULL) return true;
	uint16_t number = tables->versions[index] & ~HIDDEN;
	// A definition without a version matches every version.
	if (number <= UNVERSIONED) return true;
	if (version == NULL) return (tables->versions[index] & HIDDEN) == 0;
	return strcmp(version_name(tables, number), version) == 0;
}

static bool is_wanted(const struct symbol_tables *tables, uint32_t index, const struct qs_wanted_symbol *wanted)
{
	const ElfW(Sym) *symbol = &tables->symbols[index];
	int type = symbol->st_info & 0xF;
	return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 && type <= STT_FUNC
		&& strcmp(tables->strings + symbol->st_name, wanted->name) == 0 && has_version(tables, index, wanted->version);
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;
	for (; *name != 0; name++) hash = hash * 33 + (unsigned char)*name;
	return hash;
}

// The index of the symbol, 0 when not found. Layout of the table: a header, a Bloom filter of words, the first symbol
// of each bucket, and one hash per symbol, whose lowest bit marks the last symbol of the bucket.
static uint32_t find_by_gnu_hash(const struct symbol_tables *tables, const struct qs_wanted_symbol *wanted)
{
	enum { BUCKETS, FIRST_SYMBOL, FILTER_WORDS, FILTER_SHIFT, HEAD, WORD_BITS = sizeof(ElfW(Addr)) * 8 };
	const uint32_t *head = tables->gnu_hash;
	if (head[BUCKETS] == 0 || head[FILTER_WORDS] == 0) return 0;
	const ElfW(Addr) *filter = (const ElfW(Addr) *)&head[HEAD];
	const uint32_t *buckets = (const uint32_t *)&filter[head[FILTER_WORDS]];
	const uint32_t *chains = &buckets[head[BUCKETS]];
	uint32_t hash = gnu_hash(wanted->name);
	ElfW(Addr) word = filter[hash / WORD_BITS % head[FILTER_WORDS]];
	if ((word >> hash % WORD_BITS & word >> (hash >> head[FILTER_SHIFT]) % WORD_BITS & 1) == 0) return 0;
	uint32_t index = buckets[hash % head[BUCKETS]];
	if (index < head[FIRST_SYMBOL]) return 0;
	for (;; index++) {
		uint32_t chained = chains[index - head[FIRST_SYMBOL]];
		if ((chained | 1) == (hash | 1) && is_wanted(tables, index, wanted)) return index;
		if ((chained & 1) != 0) return 0;
	}
}

// Objects with only the old hash table are rare, so its buckets are not used.
static uint32_t find_in_order(const struct symbol_tables *tables, const struct qs_wanted_symbol *wanted)
{
	enum { SYMBOLS = 1 };
	for (uint32_t index = 1; index < tables->hash[SYMBOLS]; index++) {
		if (is_wanted(tables, index, wanted)) return index;
	}
	return 0;
}

// The preload object may be the last object of the search order, when it was opened late. In a program that links the
// hooks, the definitions before them are the hooks themselves.
#ifdef QS_FRONT_END_PRELOAD
static const bool searches_all = true;
#else
static const bool searches_all = false;
#endif

struct search {
	const struct qs_wanted_symbol *wanted;
	size_t count;
	struct symbol_tables own;    // of the preload object
	bool is_past_own;
	bool accepts_earlier;
};

static uint32_t find_symbol(const struct symbol_tables *tables, const struct qs_wanted_symbol *wanted)
{
	if (tables->gnu_hash != NULL) return find_by_gnu_hash(tables, wanted);
	return tables->hash != NULL ? find_in_order(tables, wanted) : 0;
}

static bool is_missing(const struct qs_wanted_symbol *wanted)
{
	return __atomic_load_n(wanted->address, __ATOMIC_RELAXED) == NULL;
}

// A definition before the exported hook of this name is an interceptor, for example of a sanitizer in the program,
// whose own original is the hook. Only a later definition can be the original of the hook.
static bool is_eligible(const struct search *search, const struct qs_wanted_symbol *wanted)
{
	if (search->is_past_own || wanted->is_variable) return true;
	return searches_all && (search->accepts_earlier || find_symbol(&search->own, wanted) == 0);
}

static bool is_own(const struct dl_phdr_info *info)
{
	static const char own_data;
	uintptr_t address = (uintptr_t)&own_data;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && address - begin < segment->p_memsz) return true;
	}
	return false;
}

static int look_into_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct search *search = context;
	bool is_this_own = !search->is_past_own && is_own(info);
	struct symbol_tables tables;
	if (!is_this_own && read_tables(info, &tables)) {
		for (size_t index = 0; index < search->count; index++) {
			const struct qs_wanted_symbol *wanted = &search->wanted[index];
			if (!is_missing(wanted)) continue;
			uint32_t found = find_symbol(&tables, wanted);
			if (found == 0 || !is_eligible(search, wanted)) continue;
			// Threads that search at the same time store the same addresses.
			void *address = (void *)(info->dlpi_addr + tables.symbols[found].st_value);
			__atomic_store_n(wanted->address, address, __ATOMIC_RELAXED);
		}
	}
	search->is_past_own |= is_this_own;
	return 0;
}

static int read_own_tables(struct dl_phdr_info *info, size_t size, void *tables)
{
	(void)size;
	return is_own(info) ? (read_tables(info, tables), 1) : 0;
}

void qs_symbols_find(const struct qs_wanted_symbol *wanted, size_t count)
{
	struct search search = {.wanted = wanted, .count = count};
	if (searches_all) dl_iterate_phdr(read_own_tables, &search.own);
	dl_iterate_phdr(look_into_image, &search);
	// After a late opening all definitions are before the object's own, and no other object calls its exported hooks.
	bool is_complete = true;
	for (size_t index = 0; index < count; index++) {
		is_complete &= !is_missing(&wanted[index]) || find_symbol(&search.own, &wanted[index]) == 0;
	}
	if (is_complete) return;
	search.is_past_own = false;
	search.accepts_earlier = true;
	dl_iterate_phdr(look_into_image, &search);
}

static int note_own_path(struct dl_phdr_info *info, size_t size, void *path)
{
	(void)size;
	if (!is_own(info)) return 0;
	*(const char **)path = info->dlpi_name;
	return 1;
}

const char *qs_own_path(void)
{
	const char *path = NULL;
	dl_iterate_phdr(note_own_path, &path);
	return path != NULL ? path : "";
}
