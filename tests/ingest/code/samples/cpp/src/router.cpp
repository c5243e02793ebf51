// How routes are planned: the shortest first, then the one with the fewest locks.

#include "harbour/router.hpp"

#include <algorithm>
#include <harbour/charts/depth.h>

namespace harbour::routing {

namespace {

constexpr int kLockMinutes = 25;
static const char* const kHome = "quay";

// Locks count twice at low water.
int penalty(Tide tide)
{
    return tide == Tide::Low ? 2 * kLockMinutes : kLockMinutes;
}

}  // namespace

using namespace std::literals;

Router::Router(Channel& channel) : channel_(channel), count_{0} {}

Router::~Router() { channel_.shut(); }

void Router::carry(const Leg& leg)
{
    this->announce(leg);
    channel_.send(leg.from);
}

/** Asks the charts, then the tide. */
Route Router::route(const std::string& from, const std::string& to) const
{
    Route found;
    auto shorter = [](const Leg& one, const Leg& other) { return one.minutes < other.minutes; };
    found.push_back(Leg{from, to, charts::depth(from) + penalty(Tide::Low)});
    std::sort(found.begin(), found.end(), shorter);
    if (total<Route>(found) > Router::limit()) count();
    return found;
}

Router& Router::operator+=(const Leg& leg)
{
    carry(leg);
    return *this;
}

template <typename T>
T Ledger<T>::newest() const
{
    return entries_.back();
}

}  // namespace harbour::routing

static int runs = 0;

std::unique_ptr<harbour::Carrier> make_carrier(const std::string& name)
{
    return std::make_unique<harbour::routing::Router>(name);
}

#define REGISTER(name) static Registered name##_registered(#name)
