// SPDX-License-Identifier: Apache-2.0

/// @file
/// Finds the way of a parcel across the harbour.
#pragma once

#include <string>
#include <vector>

#include "harbour/channel.hpp"

namespace harbour::routing {

/// A place and the way to the next one.
struct Leg {
    std::string from;
    std::string to;
    int minutes = 0;

    bool operator==(const Leg& other) const { return from == other.from && to == other.to; }
};

enum class Tide { Low, High };

using Route = std::vector<Leg>;

/// Whatever can carry a parcel.
class Carrier {
public:
    virtual ~Carrier() = default;
    /// Takes a parcel along.
    virtual void carry(const Leg& leg) = 0;
};

/**
 * Plans routes by tide.
 */
class Router final : public Carrier, private detail::Clock<Leg> {
public:
    static constexpr int kMostLegs = 12;

    explicit Router(Channel& channel);
    ~Router() override;

    void carry(const Leg& leg) override;
    [[nodiscard]] Route route(const std::string& from, const std::string& to) const;
    int count() const noexcept { return count_; }
    Router& operator+=(const Leg& leg);

private:
    /// How long a wait at the lock lasts.
    struct Wait {
        int minutes;
    };

    int waiting() const { return 3; }
    int count_ = 0;
};

/// The sum over all legs.
template <typename Legs>
int total(const Legs& legs)
{
    int sum = 0;
    for (const auto& leg : legs) sum += minutes_of(leg);
    return sum;
}

}  // namespace harbour::routing
