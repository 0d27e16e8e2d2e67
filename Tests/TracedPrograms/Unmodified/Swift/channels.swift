// DispatchIO, DispatchData, and FileHandle's handlers over pipes.
import Foundation

let queue = DispatchQueue(label: "channels")
let done = DispatchSemaphore(value: 0)
let pipe = Pipe()
let (reader, writer) = (pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor)
let output = DispatchIO(type: .stream, fileDescriptor: writer, queue: queue) { _ in
    pipe.fileHandleForWriting.closeFile()
}
var text = DispatchData.empty
for piece in ["one ", "two ", "three"] {
    piece.utf8CString.withUnsafeBytes { text.append(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
}
output.write(offset: 0, data: text, queue: queue) { finished, _, error in
    precondition(error == 0)
    if finished { output.close() }
}
let input = DispatchIO(type: .stream, fileDescriptor: reader, queue: queue) { _ in done.signal() }
var received = DispatchData.empty
input.setLimit(lowWater: 1)
// Reads by length, because libdispatch sometimes misses the end of a pipe's stream on Linux.
input.read(offset: 0, length: 13, queue: queue) { finished, data, error in
    precondition(error == 0)
    if let data { received.append(data) }
    if finished { input.close() }
}
done.wait()
print(String(decoding: received, as: UTF8.self), received.count)
print(received.subdata(in: 4..<7).map { Character(UnicodeScalar($0)) })

let second = Pipe()
var bytes = 0
second.fileHandleForReading.readabilityHandler = { handle in
    let data = handle.availableData
    bytes += data.count
    if bytes == 1000 {
        handle.readabilityHandler = nil
        done.signal()
    }
}
second.fileHandleForWriting.write(Data(count: 1000))
done.wait()
print("\(bytes) bytes")

DispatchIO.read(fromFileDescriptor: -1, maxLength: 1, runningHandlerOn: queue) { data, error in
    print("refused", data.isEmpty, error != 0)
    done.signal()
}
done.wait()
