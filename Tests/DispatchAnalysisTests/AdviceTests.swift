import Testing

@testable import DispatchAnalysis
@testable import DispatchModel

@Suite struct AdviceTests {
    @Test("A phrase keeps its words and arguments in order, and its template has no values")
    func phrase() {
        let place = CodePlace(" at App/Log.swift:12")
        let phrase: Phrase = "Collect \(1_204) items of \("app.log", .queue)\(place) in \(Nanoseconds.milliseconds(3))."
        #expect(phrase.text == "Collect 1,204 items of app.log at App/Log.swift:12 in 3.00 ms.")
        #expect(phrase.template == "Collect {number} items of {queue}{place} in {number}.")
        #expect(phrase.arguments.map(\.kind) == [.number, .queue, .place, .number])
        #expect(phrase.quantities == [.count(1_204), .duration(.milliseconds(3))])
    }

    @Test("The parts of an advice are joined, and further sentences follow after a space")
    func sentences() {
        let advice = Advice(.batchWork, "Collect \(3) ", "items.")
        #expect(advice.text == "Collect 3 items.")
        let longer = advice.adding("Or do ", "less.")
        #expect(longer.fix == .batchWork && longer.text == "Collect 3 items. Or do less.")
        #expect(longer.phrase.template == "Collect {number} items. Or do less.")
    }

    @Test("Fixes have names in kebab case, each once and in alphabetical order")
    func names() {
        let names = Fix.allCases.map(\.rawValue)
        #expect(names == Set(names).sorted())
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
    }

    @Test("Places name each line once, and unknown code has no place")
    func places() {
        let model = DispatchModel()
        let codes = [7, 7, 9].map { line in
            model.codes.append(Code(symbol: "f", file: "App/Log.swift", line: line, address: 0))
            return CodeIndex(model.codes.count - 1)
        }
        #expect(model.place(of: codes[0]).description == " at f (App/Log.swift:7)")
        #expect(model.places(of: codes + [.unknown]).description == " at f (App/Log.swift:7) and f (App/Log.swift:9)")
        #expect(model.place(of: .unknown).description.isEmpty && model.place(of: nil).description.isEmpty)
    }
}
