/// Tells the recorder, by being there, that it is in the queuescope command. SwiftPM links it in along with the
/// programs that are built with the command; without this it would record the command where QUEUESCOPE_TRACE or an
/// LTTng session asks for a program, and take the variables that `record` reads.
@_cdecl("queuescope_is_never_recorded")
public func isNeverRecorded() {}
