import DispatchModel
import Foundation
import Symbolication
import TestSupport
import Testing

@testable import ReportText

@Suite("Links from code to its source")
struct SourceLinksTests {
    private let directory = TemporaryDirectory()

    /// Creates a file with its folders, and returns its path.
    private func file(_ name: String) throws -> String {
        let path = URL(fileURLWithPath: directory.appending(name)).standardizedFileURL.path
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        return path
    }

    private func code(_ file: String, _ line: Int, at path: String? = nil) -> Code {
        Code(symbol: "f()", file: file, line: line, address: path == nil ? 0 : 1, path: path)
    }

    private func links(_ codes: [Code], frames: [StackFrame] = [], sources: SourceTree? = nil) throws -> SourceLinks {
        let format = try LinkFormat(template: "edit:{path}:{line}")
        return SourceLinks(LinkStyle(format, sources: sources), codes: codes, frames: frames)
    }

    private func link(_ text: String, _ url: String) -> String { "\u{1B}]8;;\(url)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\" }

    @Test("are around file and line of code, with and without its module, and of a frame")
    func places() throws {
        let (path, other) = (try file("News/Store.swift"), try file("c/read.c"))
        let frame = StackFrame(address: 1, image: "", offset: 1, symbol: "read", file: other, line: 7)
        let links = try links([code("News/Store.swift", 42, at: path)], frames: [frame])
        let whole = link("News/Store.swift:42", "edit:\(path):42")
        #expect(links.linked("at News/Store.swift:42: the work") == "at \(whole): the work")
        let (store, read) = (link("Store.swift:42", "edit:\(path):42"), link("read.c:7", "edit:\(other):7"))
        #expect(links.linked("save Store.swift:42") == "save \(store)")
        #expect(links.linked("f (Store.swift:42), read (read.c:7)") == "f (\(store)), read (\(read))")
        for text in ["Store.swift:43", "Store.swift", "Store.swift:", "xStore.swift:42", "12:42", "", "…re.swift:42"] {
            #expect(links.linked(text) == text)
        }
    }

    @Test("have no width in a line, and are not in a line without links")
    func width() throws {
        let path = try file("Store.swift")
        let links = try links([code("News/Store.swift", 42, at: path)])
        var line = TextLine("Store.swift:42", .place)
        line.advance(to: 20)
        line.append("end")
        #expect(line.width == 23)
        let plain = line.string(inColor: false)
        #expect(plain == "Store.swift:42      end")
        #expect(line.string(inColor: false, links: links) == link("Store.swift:42", "edit:\(path):42") + "      end")
        #expect(line.string(inColor: true, links: links).hasPrefix("\u{1B}[36m\u{1B}]8;;edit:"))
    }

    @Test("are missing for files that are not on this machine, and for a place in several files")
    func unknown() throws {
        let (one, two) = (try file("A/main.swift"), try file("B/main.swift"))
        let gone = directory.appending("gone/Old.swift")
        let links = try links([
            code("A/main.swift", 3, at: one), code("B/main.swift", 3, at: two), code("B/main.swift", 9, at: two),
            code("Old/Old.swift", 1, at: gone), code("C/main.swift", 9), code("D/main.swift", 4),
        ])
        #expect(links.linked("A/main.swift:3") == link("A/main.swift:3", "edit:\(one):3"))
        #expect(links.linked("B/main.swift:3") == link("B/main.swift:3", "edit:\(two):3"))
        #expect(links.linked("B/main.swift:9") == link("B/main.swift:9", "edit:\(two):9"))
        // Line 9 is in two modules, and the file of one of them is unknown.
        for text in ["main.swift:3", "main.swift:9", "Old.swift:1", "C/main.swift:9", "D/main.swift:4"] {
            #expect(links.linked(text) == text)
        }
    }

    @Test("of a call site without a path lead to the file of its module")
    func recordedSites() throws {
        let path = try file("Sources/News/Store.swift")
        let found = try links([code("News/Store.swift", 42, at: path), code("News/Store.swift", 50)])
        #expect(found.linked("News/Store.swift:50") == link("News/Store.swift:50", "edit:\(path):50"))
        let inProject = try links([code("News/Store.swift", 50)], sources: SourceTree(root: directory.path))
        #expect(inProject.linked("Store.swift:50") == link("Store.swift:50", "edit:\(path):50"))
        #expect(try links([code("News/Store.swift", 50)]).linked("Store.swift:50") == "Store.swift:50")
    }

    @Test("lead into the project's folder for code that was compiled in another folder")
    func otherFolder() throws {
        let path = try file("Sources/News/Store.swift")
        _ = try file("Sources/News/Channel.swift")
        let codes = [
            code("News/Store.swift", 42, at: "/builds/7/Sources/News/Store.swift"),
            code("NIO/Channel.swift", 1, at: "/builds/7/.build/checkouts/swift-nio/Sources/NIO/Channel.swift"),
        ]
        let links = try links(codes, sources: SourceTree(root: directory.path))
        #expect(links.linked("Store.swift:42") == link("Store.swift:42", "edit:\(path):42"))
        // A file of a dependency with the name of a file of the project.
        #expect(links.linked("Channel.swift:1") == "Channel.swift:1")
    }

    @Test("have the form of a format or of a template, and escape every special character")
    func formats() throws {
        let file = LinkFormat.file.url(of: "/a b/Store.swift", line: 4)
        #expect(file.wholeMatch(of: #/file://[^/]+/a%20b/Store\.swift/#) != nil)
        let vscode = try #require(LinkFormat.named.first { $0.key == "vscode" }?.value)
        #expect(vscode.url(of: "/a/Store.swift", line: 4) == "vscode://file/a/Store.swift:4")
        for (template, path, url) in [
            ("vscode://file/{path}:{line}", "/a.c", "vscode://file/a.c:4"),
            ("idea://open?file={path}&line={line}", "/a.c", "idea://open?file=/a.c&line=4"),
            ("file:///{path}", "/a.c", "file:///a.c"), ("x:{path}", "/\u{1B}]\n\"é", "x:/%1B%5D%0A%22%C3%A9"),
        ] {
            #expect(try LinkFormat(template: template).url(of: path, line: 4) == url)
        }
        for template in ["{path}", "vscode", "x:{line}", "x:{path}:{column}", "x:{path", "x: {path}", "x:{path}\u{7}"] {
            #expect(throws: LinkFormat.Failure.self) { try LinkFormat(template: template) }
        }
    }
}
