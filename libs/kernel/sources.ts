import { randomUUID } from 'node:crypto';

/** The source of the time. Only shells use it; pure code receives times as arguments. */
export interface Clock {
  now(): Date;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() };

/** The source of fresh UUIDs. Only shells use it; pure code receives ids as arguments. */
export interface IdSource {
  next(): string;
}

/** UUIDs of version 4. */
export const randomIds: IdSource = { next: () => randomUUID() };
