import { formatPosition, placeOf, type Position } from '#lib/event-store';

/** Places of our log are apart on the wire, as the records of a real log are: nobody may count on neighbours. */
const DISTANCE = 64n;

export function toWire(logId: string, position: Position): string {
  return String(placeOf(logId, position) * DISTANCE);
}

/** The last place at or before a position of the wire. */
export function lastPlaceUpTo(logId: string, wire: string): Position {
  return formatPosition(logId, BigInt(wire) / DISTANCE);
}

/** The last place before a position of the wire. */
export function lastPlaceBefore(logId: string, wire: string): Position {
  return BigInt(wire) === 0n ? formatPosition(logId, 0) : lastPlaceUpTo(logId, String(BigInt(wire) - 1n));
}

/** The first place at or after a position of the wire. */
export function firstPlaceFrom(logId: string, wire: string): Position {
  return formatPosition(logId, (BigInt(wire) + DISTANCE - 1n) / DISTANCE);
}
