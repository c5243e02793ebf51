<?php

declare(strict_types=1);

/**
 * Couriers take parcels from one quay to the next.
 */

namespace Saltmarsh\Couriers;

use InvalidArgumentException;
use Saltmarsh\Tides\Tide;
use Saltmarsh\Charts\{Depth, Lock as Gate};
use function Saltmarsh\Tides\next_tide;

require_once __DIR__ . '/../bootstrap.php';

const HEAVIEST = 12;

/** Whatever can take a parcel along. */
interface Carrier extends \Countable
{
    public function carry(Parcel $parcel): bool;
}

/** Says aloud what happens. */
trait Announces
{
    protected function announce(string $what): void
    {
        echo $what;
    }
}

enum Outcome: string
{
    case Arrived = 'arrived';
    case Lost = 'lost';

    public function isGood(): bool
    {
        return $this === self::Arrived;
    }
}

/**
 * Delivers one parcel after the other.
 */
#[Service]
final class Courier extends Base implements Carrier, \JsonSerializable
{
    use Announces;
    use \Saltmarsh\Logs\Logs;

    // By hand; more needs a cart.
    public const MOST_PARCELS = 5;
    private const PAUSE = 3;

    private array $parcels = [];

    public function __construct(private Depth $depth, string $name = 'Ida')
    {
        parent::__construct($name);
    }

    /** Waits for the tide if the water is low. */
    #[Retry(3)]
    public function carry(Parcel $parcel): bool
    {
        $deep = fn (string $quay) => $this->depth->at($quay) > 2;
        if (!$deep($parcel->to)) {
            $this->wait(next_tide(), Tide::lowest());
        }
        $this->announce(sprintf('%s took %s', $this->name, $parcel->name));
        return (new Receipt($parcel))->isSigned();
    }

    public static function default(): static
    {
        return self::named('Ida');
    }

    private function wait(int $from, int $to): void
    {
        usleep($to - $from);
    }
}

/** All of them, in order. */
function carry_all(Carrier $carrier, array $parcels): void
{
    foreach ($parcels as $parcel) {
        $carrier->carry($parcel);
    }
}
