import Queuescope

// What the plain twin of this program gives Dispatch's own types.

typealias TracedQueue = Queuescope.TracedQueue
typealias Signposter = Queuescope.Signposter
