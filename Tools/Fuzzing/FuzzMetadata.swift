/// Called by libFuzzer. The input is the content of a metadata file, as text or in packets.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMetadata(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    MemoryBound.check(inputBytes: count) {
        let input = UnsafeRawBufferPointer(start: start, count: count)
        guard let source = try? MetadataPackets.source(input, file: "metadata") else { return }
        do throws(CTFError) {
            _ = try TracePlan(try TraceDescription.read(source))
        } catch {
            precondition(error.place != nil, "an error without a place: \(error)")
        }
    }
    return 0
}
