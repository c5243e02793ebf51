//! Ferries and the timetable they keep.
//! The tide has the last word.

const std = @import("std");
const tides = @import("tides/forecast.zig");
const Port = @import("port.zig").Port;
const Allocator = std.mem.Allocator;

/// How many cars fit on the largest deck.
pub const most_cars: usize = 48;
const margin_minutes = 15;
var departures: usize = 0;

pub const Error = error{
    TooShallow,
    Full,
};

pub const State = enum {
    moored,
    sailing,

    pub fn isMoving(self: State) bool {
        return self == .sailing;
    }
};

/// A ferry between two ports.
/// It belongs to whoever made it.
pub const Ferry = struct {
    name: []const u8,
    draught: f32,
    cars: usize = 0,

    const Self = @This();
    pub const crew = 4;

    /// A ferry without cars.
    pub fn named(name: []const u8, draught: f32) Self {
        return .{ .name = name, .draught = draught };
    }

    pub fn sail(self: *Self, port: Port) Error!State {
        if (!self.clears(tides.depthAt(port))) return Error.TooShallow;
        if (self.cars > most_cars) return Error.Full;
        departures += 1;
        announce(self.name);
        return .sailing;
    }

    fn clears(self: Self, depth: f32) bool {
        return depth > self.draught;
    }
};

/// A queue of anything that waits on the quay.
pub fn Queue(comptime Waiting: type) type {
    return struct {
        waiting: std.ArrayList(Waiting),

        pub fn enter(self: *@This(), one: Waiting) !void {
            try self.waiting.append(one);
        }
    };
}

pub extern fn sound_horn(seconds: c_int) void;

fn announce(name: []const u8) void {
    const Line = struct { text: []const u8 };
    const line = Line{ .text = name };
    sound_horn(2);
    std.debug.print("{s} leaves\n", .{line.text});
}

pub fn main() !void {
    var ferry = Ferry.named("Isle", 3.2);
    _ = try ferry.sail(Port.find("oban"));
}

test "a deep ferry stays in shallow water" {
    var ferry = Ferry.named("Whale", 30);
    try std.testing.expectError(Error.TooShallow, ferry.sail(Port.find("oban")));
}
