import Dispatch

// The names of the traced twin, given to Dispatch's own types: nothing of Queuescope is in this program.

typealias TracedQueue = DispatchQueue
typealias TracedGroup = DispatchGroup
