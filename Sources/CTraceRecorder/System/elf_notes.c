#define _GNU_SOURCE
#include "elf_notes.h"

#include <string.h>

// Name and description are padded to 4 bytes.
static size_t padded(uint32_t size)
{
	return ((size_t)size + 3) & ~(size_t)3;
}

const unsigned char *qs_elf_note(const struct dl_phdr_info *image, const ElfW(Phdr) *segment, const char *name,
	uint32_t type, size_t *size)
{
	const unsigned char *cursor = (const unsigned char *)(image->dlpi_addr + segment->p_vaddr);
	const unsigned char *end = cursor + segment->p_memsz;
	while ((size_t)(end - cursor) >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)cursor;
		size_t whole = sizeof *note + padded(note->n_namesz) + padded(note->n_descsz);
		if ((size_t)(end - cursor) < whole) return NULL;
		const unsigned char *found = cursor + sizeof *note;
		if (note->n_type == type && note->n_namesz == strlen(name) + 1 && memcmp(found, name, note->n_namesz) == 0) {
			*size = note->n_descsz;
			return found + padded(note->n_namesz);
		}
		cursor += whole;
	}
	return NULL;
}
