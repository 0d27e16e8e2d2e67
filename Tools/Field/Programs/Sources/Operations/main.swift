import Foundation

/// Counts the words in the texts of a folder with dependent operations: read, count, add.
guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: Operations FOLDER\n".utf8))
    exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1])
let files = (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
    .filter { ["md", "swift"].contains($0.pathExtension) }
    .sorted { $0.path < $1.path }

/// Data that the operations of one file pass on. Each operation writes before the dependent one reads.
final class Page: @unchecked Sendable {
    let file: URL
    var text = ""
    var words: [Substring: Int] = [:]
    init(file: URL) { self.file = file }
}

let reading = OperationQueue()
reading.name = "reading"
reading.maxConcurrentOperationCount = 2
let counting = OperationQueue()
counting.name = "counting"
counting.qualityOfService = .utility
let summing = OperationQueue()
summing.name = "summing"
summing.maxConcurrentOperationCount = 1

/// Used only by the summing queue, which runs one operation at a time.
nonisolated(unsafe) var total: [Substring: Int] = [:]
let done = BlockOperation { print("\(total.count) different words in \(files.count) files") }
for file in files {
    let page = Page(file: file)
    let read = BlockOperation { page.text = (try? String(contentsOf: page.file, encoding: .utf8)) ?? "" }
    let count = BlockOperation {
        for word in page.text.split(whereSeparator: { !$0.isLetter }) { page.words[word, default: 0] += 1 }
    }
    let add = BlockOperation { total.merge(page.words, uniquingKeysWith: +) }
    count.addDependency(read)
    add.addDependency(count)
    done.addDependency(add)
    reading.addOperation(read)
    counting.addOperation(count)
    summing.addOperation(add)
}
summing.addOperation(done)
done.waitUntilFinished()
