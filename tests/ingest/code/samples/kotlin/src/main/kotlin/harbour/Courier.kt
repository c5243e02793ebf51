// Couriers take parcels from one quay to the next.
package harbour.couriers

import harbour.charts.Depth
import harbour.tides.*
import kotlin.time.Duration.Companion.seconds
import harbour.tides.Tide as Water

/** More than that needs a cart. */
const val HEAVIEST = 12.5

internal val PAUSE = 3.seconds

typealias Receipts = Map<String, Receipt>

/** Whatever can take a parcel along. */
interface Carrier<T : Any> : AutoCloseable {
    val name: String

    /** Takes it along. */
    suspend fun carry(parcel: Parcel): Boolean
}

/** Something to take along. */
data class Parcel(val from: String, val to: String, val weight: Double)

enum class Outcome(val good: Boolean) {
    ARRIVED(true),
    LOST(false);

    fun sentence(): String = if (good) "It is there." else "It is lost."
}

sealed class Event {
    data class Arrived(val parcel: Parcel) : Event()
    object Delayed : Event()
}

/**
 * Delivers one parcel after the other.
 */
@Service
open class Courier<T : Any>(
    override val name: String,
    private val depth: Depth,
) : Base(name), Carrier<T>, Comparable<Courier<T>> {
    val heavy: Boolean
        get() = depth.at("quay") < 2

    // Waits for the tide if the water is low.
    @Retry(times = 3)
    override suspend fun carry(parcel: Parcel): Boolean {
        fun deep(quay: String) = depth.at(quay) > 2
        if (!deep(parcel.to)) {
            this.await(Water.next())
        }
        announce(Event.Arrived(parcel))
        return Outcome.valueOf("ARRIVED").good
    }

    private fun announce(event: Event) {
        println(event)
    }

    companion object {
        const val MOST_PARCELS = 5

        fun default(): Courier<Any> = Courier("Ida", Depth.zero())
    }
}

/** The only one. */
object Quay : Place {
    fun open() = true
}

/** Whether it takes two to carry. */
fun Parcel.isHeavy(): Boolean = weight > HEAVIEST

fun <T : Any> carryAll(carrier: Carrier<T>, parcels: List<Parcel>) {
    parcels.forEach { parcel -> carrier.carry(parcel) }
}
