const { deliverAll } = require("./courier");

function testDeliverAll() {
  return deliverAll([]);
}

describe("the courier", () => {
  it("delivers", () => {
    const courier = () => null;
    expect(courier()).toBe(testDeliverAll());
  });
});
