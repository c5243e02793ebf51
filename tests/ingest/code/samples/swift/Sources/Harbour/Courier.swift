// Couriers take parcels from one quay to the next.

import Foundation
@testable import HarbourTides
import struct Charts.Depth

/// More than that needs a cart.
public let heaviest = 12.5

typealias Receipts = [String: Receipt]

/// Whatever can take a parcel along.
public protocol Carrier: AnyObject, Sendable {
    associatedtype Cargo
    var name: String { get }

    /// Takes it along.
    func carry(_ parcel: Parcel) async throws -> Bool
}

public struct Parcel: Codable, Hashable {
    static let smallest = 0.1
    public let from: String
    public let to: String

    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

/// What became of a parcel.
public enum Outcome: String {
    case arrived
    case lost(at: String)

    var isGood: Bool {
        switch self {
        case .arrived: return true
        default: return false
        }
    }
}

/**
 Delivers one parcel after the other.
 */
@MainActor
open class Courier<Cargo>: Base, Carrier {
    private let depth: Depth

    public init(name: String, depth: Depth) {
        self.depth = depth
        super.init(name: name)
    }

    deinit {
        release()
    }

    // Waits for the tide if the water is low.
    @discardableResult
    public func carry(_ parcel: Parcel) async throws -> Bool {
        func deep(_ quay: String) -> Bool { depth.at(quay) > 2 }
        if !deep(parcel.to) {
            await self.wait(for: Tide.next())
        }
        announce(Outcome.arrived)
        return true
    }

    public subscript(quay: String) -> Int {
        depth.at(quay)
    }

    private func announce(_ outcome: Outcome) {
        print(outcome)
    }
}

extension Courier: CustomStringConvertible where Cargo: Sendable {
    public var description: String {
        "courier \(name)"
    }

    static func == (one: Courier, other: Courier) -> Bool {
        one.name == other.name
    }
}

/// All of them, in order.
func carryAll(_ carrier: any Carrier, parcels: [Parcel]) {
    for parcel in parcels { carrier.carry(parcel) }
}
