#ifndef QS_ELF_NOTES_H
#define QS_ELF_NOTES_H

#include <link.h>

// The description of the note with this name and type in a PT_NOTE segment of an image, NULL when it has none; `size` gets its length.
const unsigned char *qs_elf_note(const struct dl_phdr_info *image, const ElfW(Phdr) *segment, const char *name, uint32_t type, size_t *size);

#endif
