import CArenaLayout
import Testing

@testable import CTFReader

/// The layout of each version of the recorder's memory is fixed, because a command reads the memory of a recorder of
/// another build.
@Suite("Layout of the recorder's memory")
struct ArenaLayoutTests {
    @Test("A change of the layout has a new version: change QS_ARENA_VERSION together with these numbers")
    func version() {
        #expect(QS_ARENA_VERSION == 5)
        #expect([QS_UNIT, QS_SEGMENT, QS_SMALL_CHUNK, QS_LARGE_CHUNK] == [4096, 1 << 20, 4096, 65_536])
        #expect([QS_CHUNK_TABLE, QS_STREAM_RECORDS, QS_FIRST_SMALL_CHUNK, QS_SEGMENT_STREAMS] == [1, 2, 6, 256])
        #expect(
            [QS_HEAD_MAGIC, QS_HEAD_VERSION, QS_HEAD_UUID, QS_HEAD_SEGMENTS, QS_HEAD_FIRST_STREAM, QS_HEAD_LOST]
                == [0, 8, 16, 32, 36, 40])
        #expect(
            [QS_HEAD_OVERWRITTEN, QS_HEAD_WINDOW_BEGIN, QS_HEAD_DIRECTORY_LENGTH, QS_HEAD_DIRECTORY, QS_HEAD_SIZE]
                == [48, 56, 64, 72, 3144])
        #expect([QS_CHUNK_STREAM, QS_CHUNK_ORDER, QS_CHUNK_BYTES, QS_CHUNK_SIZE] == [0, 4, 8, 16])
        #expect([QS_RECORD_KIND, QS_RECORD_COMMITTED, QS_RECORD_DISCARDED, QS_RECORD_COPIED] == [0, 4, 8, 16])
        #expect(QS_RECORD_SIZE == 64)
        #expect(
            [QS_COPIED_FILE_END, QS_COPIED_PACKETS, QS_COPIED_ORDER, QS_COPIED_CHUNK_BYTES, QS_COPIED_LAST_PACKET]
                == [0, 8, 12, 16, 20])
        #expect([QS_OWNER_OFFSET, QS_OWNER_TID, QS_OWNER_TIME, QS_OWNER_SIZE] == [0, 4, 8, 16])
        #expect(QS_PACKET_HEAD == 88)
    }

    @Test("The kinds of streams have fixed numbers")
    func kinds() {
        let kinds = (0...5).map { ArenaLayout.StreamRecord.Kind($0) }
        #expect(kinds == [nil, .thread, .kernel, .definitions, .definitionsOfLibrary, nil])
    }
}
