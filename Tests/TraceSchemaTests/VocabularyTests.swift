import Testing
import TraceSchema

@Suite("The vocabularies")
struct VocabularyTests {
    @Test("give every term its own name, in snake case", arguments: Vocabulary.all.map(\.name))
    func names(name: String) throws {
        let vocabulary = try #require(Vocabulary.all.first { $0.name == name })
        let names = vocabulary.terms.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil, "\(name)") }
    }

    @Test(
        "define terms without a capital at the begin and a full stop at the end", arguments: Vocabulary.all.map(\.name))
    func meanings(name: String) throws {
        let vocabulary = try #require(Vocabulary.all.first { $0.name == name })
        for term in vocabulary.terms {
            #expect(term.meaning.first?.isLowercase == true && term.meaning.last != ".", "\(term.name)")
        }
    }

    @Test("give the numbers of the event catalogue to enumerations that the page reads by position")
    func positions() {
        for enumeration in [Enumeration.itemKind, .taskKind, .awaitKind] {
            #expect(enumeration.cases.map { Int($0.value) } == Array(enumeration.cases.indices), "\(enumeration.name)")
        }
    }
}
