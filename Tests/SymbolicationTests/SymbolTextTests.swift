import Testing

@testable import Symbolication

@Suite struct SymbolTextTests {
    @Test(
        "Symbols are shown in the form of source code",
        arguments: [
            ("News.Connection.open() -> ()", "Connection.open()"),
            ("News.Store.find(News.Key, limit: Swift.Int) throws -> [News.Item]", "Store.find(_:limit:)"),
            (
                "News.Store.init(load: (Swift.Int) -> Swift.Bool, of: (a: Swift.Int, b: Swift.Int)) -> News.Store",
                "Store.init(load:of:)"
            ),
            ("News.Store.__allocating_init(size: Swift.Int) -> News.Store", "Store.init(size:)"),
            ("News.Store.__deallocating_deinit", "Store.__deallocating_deinit"),
            ("News.map<A, B>(_: [A: B], by: (A) -> B) -> [B]", "map(_:by:)"),
            ("News.sum<A where A: Swift.Sequence, A.Element == Swift.Int>(A) -> Swift.Int", "sum(_:)"),
            ("News.Box<Swift.Array<Swift.Int>>.take(at: Swift.Int) -> A", "Box.take(at:)"),
            ("News.Store.(secret in _E5ABB9)(for: Swift.Int) -> ()", "Store.secret(for:)"),
            ("News.(Hidden in _E5ABB9).run() -> ()", "Hidden.run()"),
            ("News.Store.(in _E5ABB9).init(name: Swift.String) -> News.Store", "Store.init(name:)"),
            (
                "closure #2 @Swift.MainActor () -> () in News.Store.() -> News.Store(in _E5ABB9).init() -> News.Store",
                "closure #2 in Store.init()"
            ),
            ("News.Store.() throws -> News.Store(in _E5ABB9).init() throws -> News.Store", "Store.init()"),
            ("one-time initialization function for (queue in _E5ABB9)", "initialization of queue"),
            ("one-time initialization function for queue", "initialization of queue"),
            ("@objc closure #1 (Swift.Int) -> () in News.Store.run() -> ()", "closure #1 in Store.run()"),
            ("static News.Key.== infix(News.Key, News.Key) -> Swift.Bool", "static Key.==(_:_:)"),
            ("static News.Key.> infix(News.Key, to: News.Key) -> Swift.Bool", "static Key.>(_:to:)"),
            ("News.value.getter : Swift.Int", "value.getter"),
            ("News.Store.subscript.setter : (Swift.Int) -> Swift.Int", "Store.subscript.setter"),
            ("(extension in News):Swift.Array.second.getter : Swift.Optional<A>", "Array.second.getter"),
            (
                "closure #1 @Sendable (News.Socket) -> () in News.Server.init(queue: News.Queue) throws -> News.Server",
                "closure #1 in Server.init(queue:)"
            ),
            (
                "closure #2 () -> () in implicit closure #1 (A) -> () in News.(run in _12)(B: (C) -> D) -> ()",
                "closure #2 in implicit closure #1 in run(B:)"
            ),
            ("helper #1 (at: Swift.Int) -> () in News.run() -> ()", "helper #1 in run()"),
            ("partial apply forwarder for closure #1 () -> () in News.run() -> ()", "closure #1 in run()"),
            ("generic specialization <News.Key, Swift.Int> of News.Map.set(A, to: B) -> ()", "Map.set(_:to:)"),
            (
                "function signature specialization <Arg[0] = [Closure Propagated : $s4News4openyyXEfU_, Argument Types "
                    + ": []> of generic specialization <Swift.Int, ()> of News.Box.withLock<A>((inout A) -> A1) -> A1",
                "Box.withLock(_:)"
            ),
            (
                "function signature specialization <Arg[0] = Dead> of static News.Main.run() -> ()",
                "static Main.run()"
            ),
            ("(2) await resume partial function for News.load(from: Swift.String) async -> ()", "load(from:)"),
            ("protocol witness for News.P.run() -> () in conformance News.C : News.P in News", "P.run()"),
            ("News.run() async throws(News.Failure) -> ()", "run()"),
            ("News.run() -> () with unmangled suffix \".resume.0\"", "run()"),
            ("static News.Main.run() -> ()", "static Main.run()"),
            ("News.count@Sendable (Swift.Int) async -> Swift.Int", "count(_:)"),
            (
                "(1) suspend resume partial function for closure #1 () async -> () in News.map<A>@Swift.MainActor "
                    + "@Sendable (A) async -> A",
                "closure #1 in map(_:)"
            ),
            ("News.runnonisolated(nonsending) @isolated(any) (on: Swift.Int) async -> ()", "run(on:)"),
            ("distributed thunk News.Greeter.greet(Swift.String) async throws -> Swift.String", "Greeter.greet(_:)"),
            ("distributed accessor for News.Greeter.greet() async throws -> ()", "Greeter.greet()"),
            ("closure #1 (Swift.Int) -> () in main", "closure #1 in main"),
            ("closure #2 () -> () in closure #1 () -> () in script", "closure #2 in closure #1 in script"),
        ])
    func shortens(symbol: String, expected: String) {
        #expect(SymbolText.brief(symbol) == expected)
    }

    @Test(
        "The base name of a function is used next to a line number",
        arguments: [
            ("closure #1 in Store.save(to:)", "save"), ("closure #2 in closure #1 in script", "script"),
            ("Store.init(load:of:)", "init"), ("run()", "run"), ("static Key.== infix(_:_:)", "== infix"),
            ("initialization of queue", "initialization of queue"), ("lambda #1 in app::run", "lambda #1 in app::run"),
            ("closure behind a thunk", "closure behind a thunk"), ("", ""),
        ])
    func names(brief: String, expected: String) {
        #expect(SymbolText.name(of: brief) == expected)
    }

    @Test(
        "A symbol that cannot be parsed is not changed",
        arguments: [
            "main", "qs_new_item", "_dispatch_worker_thread", "", "(",
            "<",
            "News", "News.", ".run()", "News.run(", "News.run<A", "News.(secret in _12", "closure #1", "closure #1 in ",
            "type metadata accessor for News.Store", "News.a name.run()", "News.run@", "News.run@Sendable",
            "generic specialization <A of News.run()", "News.run()garbage", "static ", "(extension in News):",
            "$snonsense",
        ])
    func keepsTheRest(symbol: String) {
        #expect(SymbolText.brief(symbol) == symbol)
    }

    @Test(
        "C++ symbols and clones are shown by the name of the function",
        arguments: [
            ("std::vector<int>::size(unsigned long) const", "std::vector::size"),
            ("run(int)", "run"),
            ("void std::__1::sort<int*, Less<int>>(int*, int*, Less<int>) [clone .cold]", "std::sort"),
            ("grpc_core::Server::Start()", "grpc_core::Server::Start"),
            (
                "std::map<std::string, std::vector<int, A<int>>>::operator[](std::string const&)",
                "std::map::operator[]"
            ),
            ("std::ostream& std::operator<< <char>(std::ostream&, char)", "std::operator<<"),
            ("bool app::operator<(app::A const&, app::A const&)", "app::operator<"),
            ("app::Key::operator bool() const", "app::Key::operator bool"),
            ("operator new[](unsigned long)", "operator new[]"),
            ("app::run(int)::{lambda(int)#2}::operator()(int) const", "lambda #2 in app::run"),
            ("app::run(int)::'lambda'(int)::operator()(int) const", "lambda #1 in app::run"),
            ("app::run(int)::'lambda0'()::operator()() const", "lambda #2 in app::run"),
            ("(anonymous namespace)::Pool::take()", "(anonymous namespace)::Pool::take"),
            ("decltype(auto) app::get<0>(A&&) (.cold)", "app::get"),
            ("sqlite3_step.part.0", "sqlite3_step"), ("parse.isra.0.cold", "parse"), ("work.llvm.8812", "work"),
            ("__action_block_invoke_3.37", "__action_block_invoke_3"), ("save.12", "save"), ("3.7", "3"),
            ("std::function<int (char)>::~function()", "std::function::~function"),
        ])
    func cxx(symbol: String, expected: String) {
        #expect(SymbolText.brief(symbol) == expected)
        for length in 1..<symbol.count { #expect(!SymbolText.brief(String(symbol.prefix(length))).isEmpty) }
    }

    @Test("A symbol truncated at any byte gives a text and does not crash")
    func survivesTruncation() {
        let symbol =
            "partial apply forwarder for closure #1 @Sendable (A, [B: C]) -> () in static (extension in News):"
            + "News.Box<Swift.Int>.(run in _E5ABB9)(on: News.Socket, (a: D) -> E) throws -> ()"
        #expect(SymbolText.brief(symbol) == "closure #1 in static Box.run(on:_:)")
        for length in 1..<symbol.count { #expect(!SymbolText.brief(String(symbol.prefix(length))).isEmpty) }
    }
}
