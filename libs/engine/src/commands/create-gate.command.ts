import { Command } from '@nestjs/cqrs';
import type { Gate } from '#lib/gate';
import type { Call, Granted } from '#lib/operations';
import type { MadeTokens } from '../specialists/declared-specialists.js';

/** A version of a gate, and the tokens of the humans that were registered with it: given once, stored only as hashes. */
export type CreatedGate = Gate & MadeTokens;

/** Creates a gate, or its next version; a changed body of a declared specialist is its next version. */
export class CreateGateCommand extends Command<Granted<CreatedGate>> {
  constructor(
    /** A gate definition as it came. */
    readonly definition: unknown,
    readonly call: Call,
  ) {
    super();
  }
}
