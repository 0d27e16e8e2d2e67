/// A trace with a field of each type, and with all contexts of a record.
enum EveryTypeFixture {
    static let metadata = #"""
        /* CTF 1.8 */
        typealias integer { size = 8; } := u8;
        typealias integer { size = 16; } := u16;
        typealias integer { size = 32; } := u32;
        typealias integer { size = 64; } := u64;
        typedef integer { size = 8; signed = true; base = hex; } hex;
        trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
        env { hostname = "h\"o"; procname = "p"; };
        clock { name = c; freq = 2100000000; offset_s = 1600000000; offset = 77; };
        typealias integer { size = 64; map = clock.c.value; } := ts;
        variant choice { u8 one; struct { u8 q; } two; };
        stream {
            id = 0;
            packet.context := struct { u64 content_size; u64 packet_size; u32 cpu_id; };
            event.header := struct { u8 id; ts timestamp; };
            event.context := struct { u8 _c; struct { } e; };
        };
        event { name = "every"; id = 0; stream_id = 0; context := struct { u8 sc; }; fields := struct {
            hex x; integer { size = 8; base = 8; } o; integer { size = 5; align = 1; base = 2; } b;
            integer { size = 3; align = 1; signed = true; base = b; } b3;
            integer { size = 16; signed = true; base = oct; } o16;
            enum : u8 { A = 0, "B b" = 1, C = 1, D = 4 ... 7, "_U" = 9 } e1; enum : u8 { A, B, C } e2;
            enum : integer { size = 8; signed = true; } { M = -3 ... -1, A = 0, } e4;
            floating_point { exp_dig = 8; mant_dig = 24; } f; floating_point { exp_dig = 11; mant_dig = 53; } g, g2;
            string s; u8 _n; u16 seq[_n]; u8 zero; u16 empty[event.fields.zero];
            struct { u8 a; struct { u8 b; } in; } st; struct { } none;
            enum : u8 { one = 1, two = 2 } tag; variant choice <tag> v;
            integer { size = 8; encoding = UTF8; } txt[5]; struct { u8 k; u8 m[k]; } arr[2]; u8 mat[2][2];
            enum : u8 { A = 0, B = 1 } ea[2]; integer { size = 8; encoding = ASCII; } stx[_n]; string ss[2];
            u8 fromHeader[stream.event.header.id]; u8 fromContext[stream.event.context._c];
        }; };
        event { name = "no payload"; id = 1; stream_id = 0; };
        event { name = "empty:payload"; id = 2; stream_id = 0; fields := struct { }; };
        """#

    static func record(_ id: UInt8, at time: UInt64, _ payload: [UInt8]) -> [UInt8] {
        ByteBuilder.build {
            $0.u8(id)
            $0.integer(time)
            $0.u8(2)
            $0.append(payload)
        }
    }

    static func payload(_ e1: UInt8, _ e2: UInt8, _ e4: Int8, tag: UInt8) -> [UInt8] {
        ByteBuilder.build {
            $0.u8(0x55)
            $0.u8(0xFE, 0o17, 0b110_10011)
            $0.integer(Int16(-5))
            $0.u8(e1, e2, UInt8(bitPattern: e4))
            $0.integer((Float(1) / 3).bitPattern)
            $0.integer((2 / 3e9 as Double).bitPattern)
            $0.integer((1e300 as Double).bitPattern)
            $0.append(Array("a\\b'c\"d?\n\t\u{1}\u{1B}\u{7F}".utf8) + [0xFF] + Array("é e".utf8) + [0])
            $0.u8(2)
            $0.integer(UInt16(1))
            $0.integer(UInt16(65535))
            $0.u8(0, 1, 2, tag, 42)
            $0.append(Array("ab\0cd".utf8))
            $0.u8(1, 7, 2, 8, 9, 1, 2, 3, 4, 0, 1)
            $0.append(Array("zyp\0q\0".utf8))
            $0.u8(5, 6)
        }
    }

    static var trace: CTFTraceFixture {
        let records =
            record(0, at: 1000, payload(0, 0, 0, tag: 1)) + record(0, at: 1000, payload(1, 1, -2, tag: 2))
            + record(0, at: 3000, payload(5, 9, 5, tag: 2)) + record(1, at: 4000, [])
            + record(2, at: 5_000_000_000_000, [])
        let size = UInt64(28 + records.count) * 8
        let bytes = ByteBuilder.build {
            $0.integer(UInt32(0xC1FC_1FC1))
            $0.integer(UInt32(0))
            $0.integer(size)
            $0.integer(size)
            $0.integer(UInt32(3))
            $0.append(records)
        }
        return CTFTraceFixture(metadata: metadata, files: [("s", bytes)])
    }
}
