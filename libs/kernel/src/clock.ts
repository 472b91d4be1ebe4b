/** The source of the time. Only shells use it; pure code receives times as arguments. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
