// A language server asks for the state of each document, one after the other, although no answer needs another one.
//: source https://github.com/swiftlang/sourcekit-lsp/pull/1999
//: detector serial-awaits
//: code openAll
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

func index(of document: Int) async -> Int {
    try? await Task.sleep(for: .milliseconds(20))
    return document * 2
}

func openAll(_ documents: Range<Int>) async -> Int {
    if fixed {
        return await withTaskGroup(of: Int.self) { group in
            for document in documents { group.addTask { await index(of: document) } }
            return await group.reduce(0, +)
        }
    }
    var sum = 0
    for document in documents { sum += await Task { await index(of: document) }.value }
    return sum
}

print(await openAll(0..<40))
