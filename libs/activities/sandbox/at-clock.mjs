/**
 * Runs work with a fixed time and zone in the globals of this thread, because the VM reads them there.
 * @template T
 * @param {string} clock
 * @param {() => T} work
 * @returns {T}
 */
export function atClock(clock, work) {
  const { now } = Date;
  const zone = Object.getOwnPropertyDescriptor(Date.prototype, 'getTimezoneOffset') ?? {};
  const fixed = Date.parse(clock);
  Date.now = () => fixed;
  // oxlint-disable-next-line no-extend-native -- of this thread, which does nothing else
  Object.defineProperty(Date.prototype, 'getTimezoneOffset', { ...zone, value: () => 0 });
  try {
    return work();
  } finally {
    Date.now = now;
    // oxlint-disable-next-line no-extend-native
    Object.defineProperty(Date.prototype, 'getTimezoneOffset', zone);
  }
}
