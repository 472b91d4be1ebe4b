/** An event, and the members of its data that are left out of it. */
type Lean<E> = E & { readonly leftOut?: readonly string[] };

/**
 * An event whose data has at most this many bytes as JSON: its largest members are left out and named until it fits.
 * @param maxDataBytes absent: the event is whole
 */
export function leanEvent<E extends { readonly data: object }>(event: E, maxDataBytes = Infinity): Lean<E> {
  if (maxDataBytes === Infinity) return event;
  const members = Object.entries(event.data).map(([name, value]: [string, unknown]) => ({
    name,
    bytes: Buffer.byteLength(JSON.stringify({ [name]: value })),
  }));
  let total = members.reduce((sum, { bytes }) => sum + bytes, 0);
  const leftOut = members
    .toSorted((one, other) => other.bytes - one.bytes)
    .filter(({ bytes }) => {
      const isLeftOut = total > maxDataBytes;
      if (isLeftOut) total -= bytes;
      return isLeftOut;
    })
    .map(({ name }) => name);
  if (leftOut.length === 0) return event;
  const kept = Object.entries(event.data).filter(([name]) => !leftOut.includes(name));
  return { ...event, data: Object.fromEntries(kept), leftOut };
}
