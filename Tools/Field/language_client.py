#!/usr/bin/env python3
"""Sends requests about files of a package to a language server, as an editor does, and shuts it down.

    Tools/Field/language_client.py PACKAGE SERVER [ARGUMENT…]

Opens every Swift file of the package, requests its symbols and the hover text at some places, and closes all files.
Prints the number of answered requests. The exit status is 1 if a request was not answered.
"""
import json
import pathlib
import re
import subprocess
import sys

HOVERS_PER_FILE = 8


class LanguageServer:
    """A language server as a child process. Messages have the length header of the Language Server Protocol."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.answered = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if length == 0:
            sys.exit("language_client: the server closed its output")
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def ask(self, method, parameters):
        """Sends a request and waits for its answer. Answers requests of the server with null in the meantime."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": parameters})
        while True:
            message = self.read()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif message.get("id") == self.last:
                self.answered += "error" not in message
                return message.get("result")


package = pathlib.Path(sys.argv[1]).resolve()
files = sorted(file for file in package.glob("Sources/**/*.swift"))
server = LanguageServer(sys.argv[2:])
server.ask("initialize", {
    "processId": None,
    "rootUri": package.as_uri(),
    "capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}},
})
server.notify("initialized", {})
for file in files:
    text = file.read_text(encoding="utf-8")
    document = {"uri": file.as_uri()}
    opened = {**document, "languageId": "swift", "version": 1, "text": text}
    server.notify("textDocument/didOpen", {"textDocument": opened})
    server.ask("textDocument/documentSymbol", {"textDocument": document})
    places = [(number, match.start(1)) for number, line in enumerate(text.splitlines())
              for match in re.finditer(r"\b(?:let|var|func) (\w+)", line)]
    for line, character in places[:HOVERS_PER_FILE]:
        server.ask("textDocument/hover", {"textDocument": document, "position": {"line": line, "character": character}})
for file in files:
    server.notify("textDocument/didClose", {"textDocument": {"uri": file.as_uri()}})
server.ask("shutdown", None)
server.notify("exit", None)
server.process.stdin.close()
server.process.wait()
print(f"{server.answered} of {server.last} requests answered")
sys.exit(server.answered != server.last)
