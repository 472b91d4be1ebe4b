import { randomUUID } from 'node:crypto';

/** Where fresh UUIDs come from. Only shells ask; pure code is told. */
export interface IdSource {
  next(): string;
}

export const randomIds: IdSource = { next: () => randomUUID() };
