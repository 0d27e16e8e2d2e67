#ifndef QS_ELF_NOTES_H
#define QS_ELF_NOTES_H

#include <link.h>

// Description of the note with this name and type in a PT_NOTE segment of an image, NULL when there is none. `size`
// receives its length.
const unsigned char *qs_elf_note(const struct dl_phdr_info *image, const ElfW(Phdr) *segment, const char *name,
	uint32_t type, size_t *size);

#endif
