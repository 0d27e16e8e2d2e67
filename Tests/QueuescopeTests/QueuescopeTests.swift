import Testing

/// All tests of the Swift API. One session records at a time in a process, so they run one after another.
@Suite(.serialized) enum QueuescopeTests {}
