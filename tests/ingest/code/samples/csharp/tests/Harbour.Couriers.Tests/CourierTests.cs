using Harbour.Couriers;
using Xunit;

namespace Harbour.Couriers.Tests
{
    public class CourierTests
    {
        [Fact]
        public void Test_CarryAsync()
        {
            var courier = new Courier<StillClock>(new Chart(), "Ida");
            Assert.True(courier.CarryAsync(new Parcel("quay", "lock", 1)).Result);
        }
    }

    namespace Slow
    {
        public class StillClock : IClock { }
    }
}
