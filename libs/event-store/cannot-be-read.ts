import { UndecodableEvent } from './event-codec.js';
import { KeyMissing } from './subjects/keyring.js';

/** Whether a stream has what this process cannot read: in a list such a stream hides no other. */
export function cannotBeRead(error: unknown): error is KeyMissing | UndecodableEvent {
  return error instanceof KeyMissing || error instanceof UndecodableEvent;
}
