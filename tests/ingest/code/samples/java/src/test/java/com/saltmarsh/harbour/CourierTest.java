package com.saltmarsh.harbour;

import org.junit.jupiter.api.Test;

class CourierTest {
    @Test
    void testDeliver() {
        new Courier(null).deliver(null, null);
    }
}
