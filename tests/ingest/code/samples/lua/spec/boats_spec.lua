local boats = require("harbour.boats")

local function ferry()
  return boats.Ferry.new("Isle", 3)
end

describe("a ferry", function()
  it("enters at high water", function()
    assert.is_true(ferry():fits("oban"))
  end)
end)
