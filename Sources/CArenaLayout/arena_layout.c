#include "CArenaLayout.h"

// Other processes read the structures, so their layout must not depend on the compiler: no field has padding before it.
_Static_assert(QS_HEAD_DIRECTORY == 8 + 2 * 4 + 16 + 2 * 4 + 4 * 8, "head");
_Static_assert(QS_CHUNK_SIZE == 4 * 4, "chunk");
_Static_assert(QS_COPIED_SIZE == 8 + 4 * 4, "copied");
_Static_assert(QS_RECORD_SIZE == 2 * 4 + 8 + 2 * QS_COPIED_SIZE, "stream record");
_Static_assert(QS_OWNER_SIZE == 2 * 2 + 4 + 8, "owner");
