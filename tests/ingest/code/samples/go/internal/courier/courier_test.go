package courier

import "testing"

func TestCourier_Deliver(t *testing.T) {
	if _, err := New[Warning](nil).Deliver(t.Context(), Warning{}); err != nil {
		t.Fatal(err)
	}
}

func TestShorten(t *testing.T) {
	shorten("a")
}
