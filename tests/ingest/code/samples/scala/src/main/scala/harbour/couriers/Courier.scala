/*
 * Copyright of the harbour office.
 * Licensed under the Apache License, Version 2.0.
 */
package harbour.couriers

import java.time.Instant
import scala.concurrent.Future

import harbour.tides.{Forecast, Level as TideLevel}
import harbour.ports.Port
import harbour.ports.Registry.*

/** Whatever can carry a parcel over water. */
sealed trait Courier extends Named with Scheduled {
  def carry(parcel: Parcel): Future[Receipt]

  /** How late it may leave, given the tide. */
  protected def latest(forecast: Forecast): Instant = forecast.turning.minusSeconds(Courier.MarginSeconds)
}

final case class Ferry(name: String, berths: Int) extends Vessel[Parcel](name) with Courier {
  private val logbook = new Logbook(name)

  override def carry(parcel: Parcel): Future[Receipt] = {
    def signed(receipt: Receipt): Receipt = receipt.copy(by = name)
    logbook.note(parcel)
    this.load(parcel).map(signed)
  }

  @deprecated("ferries load themselves", "2.0")
  def load(parcel: Parcel): Future[Receipt] = Registry.find(parcel.port).flatMap(_.accept(parcel))
}

/** What all couriers share. */
object Courier {
  // A quarter of an hour, as the harbour master wants it.
  val MarginSeconds: Long = 900
  private[couriers] val Fallback = "rowing boat"

  def fastest(couriers: Seq[Courier], port: Port): Option[Courier] =
    couriers.sortBy(one => distanceTo(one, port)).headOption
}

type Manifest = Map[Port, List[Parcel]]

enum Receipt(val final_ : Boolean) derives CanEqual:
  /** It arrived. */
  case Delivered extends Receipt(true)
  case Delayed(until: Instant) extends Receipt(false)

  def isOpen: Boolean = !final_

given byBerths: Ordering[Ferry] with
  def compare(one: Ferry, other: Ferry): Int = one.berths - other.berths

extension (ferry: Ferry)
  /** Whether it can take all parcels at once. */
  def fits(manifest: Manifest): Boolean =
    total(manifest) <= ferry.berths

def total(manifest: Manifest): Int =
  manifest.values.map(_.size).sum
