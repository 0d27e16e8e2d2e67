/// Repeats a recording whose result depends on timing, because other load on the machine can disturb it.
///
/// - Parameters:
///   - attempts: the largest number of recordings.
///   - record: makes one recording.
///   - isExpected: whether a recording has the expected result.
/// - Returns: the first recording with the expected result. If there is none, the last recording, on which the test
///   fails.
/// - Throws: errors of the closures.
public func repeatedRecording<Recording>(
    attempts: Int = 3, _ record: () throws -> Recording, until isExpected: (Recording) throws -> Bool
) rethrows -> Recording {
    for _ in 1..<attempts {
        let recording = try record()
        if try isExpected(recording) { return recording }
    }
    return try record()
}
