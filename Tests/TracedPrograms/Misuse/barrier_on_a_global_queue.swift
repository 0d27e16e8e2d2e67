// A barrier on a global queue, where it has no effect.
//: finds barrier-on-global
import Dispatch

let global = DispatchQueue.global(qos: .utility)
let group = DispatchGroup()
global.async(group: group) {}
global.async(group: group, flags: .barrier) {}
group.wait()
