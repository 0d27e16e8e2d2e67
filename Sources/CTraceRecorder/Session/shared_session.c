#define _GNU_SOURCE
#include "shared_session.h"

#include <link.h>
#include <string.h>

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Events/recorder.h"
#include "../LTTng/lttng.h"
#include "../System/elf_notes.h"

#ifdef QS_FRONT_END_PRELOAD

__attribute__((used, visibility("hidden"))) struct qs_shared_session qs_own_shared_session = {
	.version = QS_SHARED_VERSION,
	.epoch = &qs_gate.epoch,
	.directory = qs_identity.directory,
	.uuid = qs_identity.uuid,
	.clock_kind = (const int *)&qs_gate.clock_kind,
	.second_recorder = &qs_second_recorder,
};

// An ELF note: the sizes of name and description, the type, the name, and the distance from the note to the structure.
__asm__(".pushsection .note.queuescope, \"a\", @note\n"
	".balign 4\n"
	".long 11, 8, 1\n"
	".asciz \"Queuescope\"\n"
	".balign 4\n"
	"1: .quad qs_own_shared_session - 1b\n"
	".popsection\n");

const struct qs_shared_session *qs_shared_session_find(void)
{
	return NULL;
}

void qs_shared_session_offer_limit(uint64_t limit)
{
	qs_own_shared_session.flight_mebibytes = (uint32_t)((limit + (1 << 20) - 1) >> 20);
}

void qs_shared_session_offer_lttng(void)
{
	qs_own_shared_session.lttng = &qs_lttng_own_port;
}

#else

static int find_note(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	const struct qs_shared_session **found = context;
	for (int index = 0; index < info->dlpi_phnum && *found == NULL; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type != PT_NOTE) continue;
		size_t size;
		const unsigned char *description = qs_elf_note(info, segment, "Queuescope", 1, &size);
		int64_t distance;
		if (description == NULL || size != sizeof distance) continue;
		memcpy(&distance, description, sizeof distance);
		*found = (const struct qs_shared_session *)(description + distance);
	}
	return *found != NULL;
}

const struct qs_shared_session *qs_shared_session_find(void)
{
	const struct qs_shared_session *found = NULL;
	dl_iterate_phdr(find_note, &found);
	if (found == NULL || found->version != QS_SHARED_VERSION) return NULL;
	bool records = __atomic_load_n(found->epoch, __ATOMIC_ACQUIRE) != 0 || found->lttng != NULL;
	return records ? found : NULL;
}

void qs_shared_session_offer_limit(uint64_t limit)
{
	(void)limit;
}

void qs_shared_session_offer_lttng(void)
{
}

#endif
