import Testing

@testable import ReportText

@Suite struct DisplayTextTests {
    @Test(
        "Characters that a terminal interprets or hides are escaped",
        arguments: [
            ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\nb\tc", "a\\u{A}b\\u{9}c"), ("x\u{7F}\u{9B}y", "x\\u{7F}\\u{9B}y"),
            ("evil\u{202E}gpj", "evil\\u{202E}gpj"), ("a\u{200B}b\u{2066}", "a\\u{200B}b\\u{2066}"),
            ("line\u{2028}end\u{FEFF}", "line\\u{2028}end\\u{FEFF}"), ("tag\u{E0041}", "tag\\u{E0041}"),
            ("soft\u{AD}hyphen", "soft\\u{AD}hyphen"),
        ])
    func escapes(text: String, expected: String) {
        #expect(DisplayText.escaped(text) == expected)
    }

    @Test("Ordinary text of any script is not changed", arguments: ["news.state", "Überlauf", "队列.主", "❤️ ∥ é"])
    func keeps(text: String) {
        #expect(DisplayText.escaped(text) == text)
    }

    @Test("A long label is cut in the middle to exactly the given width")
    func shortens() {
        #expect(DisplayText.shortened("com.example.news.connection.17", to: 15) == "com.exa…tion.17")
        #expect(DisplayText.shortened("short", to: 5) == "short")
        #expect(DisplayText.shortened("longer", to: 1) == "…")
        #expect(DisplayText.shortened("longer", to: 0) == "")
        #expect(DisplayText.width(DisplayText.shortened("队列队列队列队列", to: 8)) <= 8)
    }

    @Test("Labels that differ only in their middle stay different")
    func tellsApart() {
        let labels = ["org.swift.URLSession.Shared.d-delegate", "org.swift.URLSession.Private.d-delegate", "app.net"]
        let shown = DisplayText.shortened(labels.map { ($0, 20) })
        #expect(shown == ["…n.Shared.d-delegate", "…n.Private.d-delega…", "app.net"])
        #expect(shown.allSatisfy { DisplayText.width($0) <= 20 })
        // Equal labels are cut in the middle.
        #expect(
            DisplayText.shortened([(labels[0], 20), (labels[0], 20)]) == [
                "org.swift…d-delegate", "org.swift…d-delegate",
            ])
    }

    @Test("Wide characters have two columns, combining marks none")
    func measures() {
        #expect(DisplayText.width("ab") == 2)
        #expect(DisplayText.width("队列") == 4)
        #expect(DisplayText.width("e\u{301}") == 1)
        #expect(DisplayText.width("🚀") == 2)
        #expect(DisplayText.padded("队", to: 4) == "队  ")
        #expect(DisplayText.padded("7", to: 3, toRight: true) == "  7")
    }

    @Test("A name that is too long loses its last labels first")
    func shortensSymbols() {
        let name = "Server.init(queue:limit:makeConnection:)"
        #expect(DisplayText.shortened(symbol: name, to: 40) == name)
        #expect(DisplayText.shortened(symbol: name, to: 39) == "Server.init(queue:limit:…)")
        #expect(DisplayText.shortened(symbol: name, to: 25) == "Server.init(queue:…)")
        #expect(DisplayText.shortened(symbol: name, to: 15) == "Server.init(…)")
        #expect(DisplayText.shortened(symbol: name, to: 9) == "Serv…t(…)")
        #expect(DisplayText.shortened(symbol: "main", to: 3) == "m…n")
    }
}
