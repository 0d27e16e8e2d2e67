import Dispatch

// Defines the names of the traced types for Dispatch's own types. This program does not link Queuescope.

typealias TracedQueue = DispatchQueue
typealias TracedGroup = DispatchGroup
