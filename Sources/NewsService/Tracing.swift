import Queuescope

// Everything of Queuescope that the service uses, named in one place: PlainNewsService is the same service with these
// names given to Dispatch's own types.

typealias TracedQueue = Queuescope.TracedQueue
typealias TracedSource = Queuescope.TracedSource
typealias TracedLock = Queuescope.TracedLock
typealias Signposter = Queuescope.Signposter
