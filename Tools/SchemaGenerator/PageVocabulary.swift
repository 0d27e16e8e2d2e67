import TraceSchema

extension GeneratedFile {
    /// The tables of words for the script of the page. The position of a vocabulary's term is its number in the data.
    static var pageVocabulary: GeneratedFile {
        var text = "// \(notice)\n"
        for vocabulary in Vocabulary.all {
            text += table(vocabulary.name + "s", vocabulary.summary) {
                vocabulary.terms.map { term in
                    let meaning = vocabulary.parts == nil ? "" : ", meaning: \(string(term.meaning))"
                    let unknown = term.isUnknown ? ", isUnknown: true" : ""
                    return "name: \(string(term.name)), title: \(string(term.pageTitle))\(meaning)\(unknown)"
                }
            }
        }
        for enumeration in [Enumeration.itemKind, .qosClass, .taskKind, .awaitKind] {
            let name = enumeration.name.hasSuffix("s") ? enumeration.name + "es" : enumeration.name + "s"
            text += table(name, enumeration.summary) {
                enumeration.cases.map {
                    "value: \($0.value), name: \(string($0.name)), title: \(string($0.title))"
                }
            }
        }
        return GeneratedFile(path: "Sources/TimelinePage/Web/trace/vocabulary.js", contents: text)
    }

    private static func table(_ name: String, _ summary: String, _ rows: () -> [String]) -> String {
        let constant = Enumeration(name, "", [:]).snakeCaseName.uppercased()
        return "\n/** \(summary) */\nexport const \(constant) = [\n" + rows().map { "  { \($0) },\n" }.joined() + "];\n"
    }

    private static func string(_ text: String) -> String { "'" + text.replacing("'", with: "\\'") + "'" }
}
