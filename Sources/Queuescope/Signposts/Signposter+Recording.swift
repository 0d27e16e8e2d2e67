import CTraceRecorder

extension Signposter {
    /// Which event a mark is.
    @usableFromInline
    enum Mark: Sendable { case begin, end, event }

    @usableFromInline
    @inline(never)
    func record(_ mark: Mark, _ name: StaticString, _ id: SignpostID, _ message: String, _ site: CallSite) {
        record(mark, site.code(named: name), id, message)
    }

    func record(_ mark: Mark, _ code: UInt32, _ id: SignpostID, _ message: String) {
        message.withCChars { text in
            switch mark {
            case .begin: qs_record_signpost_begin(id.rawValue, log, code, text.baseAddress, text.count)
            case .end: qs_record_signpost_end(id.rawValue, log, code, text.baseAddress, text.count)
            case .event: qs_record_signpost_event(id.rawValue, log, code, text.baseAddress, text.count)
            }
        }
    }
}
