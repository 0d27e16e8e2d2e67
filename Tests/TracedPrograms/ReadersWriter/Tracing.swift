import Queuescope

// Names that the plain version of this program defines for Dispatch's own types.

typealias TracedQueue = Queuescope.TracedQueue
typealias TracedGroup = Queuescope.TracedGroup
