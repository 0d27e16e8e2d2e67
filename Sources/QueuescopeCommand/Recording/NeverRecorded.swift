/// The presence of this symbol marks the queuescope command for the recorder. SwiftPM links the recorder into
/// the command together with the other programs. Without this symbol it would record the command itself when
/// QUEUESCOPE_TRACE is set or an LTTng session exists, and consume the variables that `record` reads.
@_cdecl("queuescope_is_never_recorded")
public func isNeverRecorded() {}
