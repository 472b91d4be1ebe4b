import { randomUUID } from 'node:crypto';

/** The source of fresh UUIDs. Only shells use it; pure code receives ids as arguments. */
export interface IdSource {
  next(): string;
}

/** UUIDs of version 4. */
export const randomIds: IdSource = { next: () => randomUUID() };
