import { UndecodableEvent } from './event-codec.js';
import { KeyMissing } from './subjects/keyring.js';

/** Whether the error means that this process cannot read one stream. A list goes on with the other streams. */
export function cannotBeRead(error: unknown): error is KeyMissing | UndecodableEvent {
  return error instanceof KeyMissing || error instanceof UndecodableEvent;
}
