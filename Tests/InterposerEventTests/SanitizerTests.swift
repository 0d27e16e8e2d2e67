import Testing

@Suite("Under the sanitizers")
struct SanitizerTests {
    private static let programs = [
        "async_forms", "sync_forms", "barrier_forms", "contended_sync", "apply_forms", "group_notify_race",
        "semaphore_forms", "source_handlers_replaced", "work_item_repeated", "work_item_cancel", "work_item_notify",
        "io_channels", "threads_that_end",
    ]

    @Test("the hooks and the recorder are clean", arguments: SanitizedProgram.Sanitizer.allCases, programs)
    func clean(sanitizer: SanitizedProgram.Sanitizer, program: String) throws {
        let (status, complaints) = try SanitizedProgram(program, for: sanitizer).complaints()
        #expect(status == 0)
        #expect(complaints == [])
    }
}
