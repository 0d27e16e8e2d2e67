import Queuescope

// All names of Queuescope that the service uses. PlainNewsService is the same service, with these names defined as
// Dispatch's own types.

typealias TracedQueue = Queuescope.TracedQueue
typealias TracedSource = Queuescope.TracedSource
typealias TracedLock = Queuescope.TracedLock
typealias Signposter = Queuescope.Signposter
