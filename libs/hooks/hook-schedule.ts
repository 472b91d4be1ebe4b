const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Before each further attempt, as Standard Webhooks proposes. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * The pause after this many failures of a delivery; `undefined` after the tenth: it is parked. The id of the delivery makes it longer by up
 * to a tenth, so that deliveries that failed together are not made together again.
 */
export function hookPauseMs(failures: number, deliveryId: string): number | undefined {
  const pauseMs = PAUSES[failures - 1];
  const spread = Number.parseInt(deliveryId.slice(0, 4), 16) / 0xff_ff / 10;
  return pauseMs === undefined ? undefined : Math.round(pauseMs * (1 + spread));
}
