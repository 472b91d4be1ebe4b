/** The source of the time. Only shells use it; pure code receives times as arguments. */
export interface Clock {
  now(): Date;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() };
