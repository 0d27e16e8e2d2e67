// Resumes a timer once too often; libdispatch ends the process.
//: finds over-resume
//: ends trap
import Dispatch

let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "misuse.clock", qos: .utility))
timer.schedule(deadline: .now() + .seconds(60))
timer.setEventHandler {}
timer.resume()
timer.suspend()
timer.resume()
timer.resume()
