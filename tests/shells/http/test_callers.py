"""Which addresses mean this machine?"""

import pytest

from dowse.shells.http.callers import is_loopback


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "localhost", "::ffff:127.0.0.1"])
def test_addresses_of_this_machine(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize(
    "address", ["", "0.0.0.0", "::", "192.0.2.1", "::ffff:192.0.2.1", "localhost.example.org", "testclient", "fe80::1%lo"]
)
def test_any_other_address_or_name(address: str) -> None:
    assert not is_loopback(address)
