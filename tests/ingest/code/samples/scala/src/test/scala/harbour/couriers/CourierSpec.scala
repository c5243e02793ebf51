package harbour.couriers

import org.scalatest.funsuite.AnyFunSuite

class CourierSpec extends AnyFunSuite:
  test("a ferry carries what fits") {
    assert(Ferry("Isle", 3).fits(Map.empty))
  }
