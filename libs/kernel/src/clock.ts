/** Where the time comes from. Only shells ask; pure code is told. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
