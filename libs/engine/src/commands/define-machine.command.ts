import { Command } from '@nestjs/cqrs';
import type { Problem } from '#lib/kernel';
import type { MachineRecord } from '#lib/projections';
import type { RegisteredDeclarations } from '../specialists/declared-specialists.js';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

/** A version of a machine, and the tokens of the humans that were registered with it: given once, stored only as hashes. */
export type DefinedMachine = MachineRecord &
  Pick<RegisteredDeclarations, 'actorTokens'> & {
    /** What is legal in the definition and probably not meant. */
    readonly warnings: readonly Problem[];
  };

/** Defines a machine, or its next version; its declared specialists are registered where they are not yet. */
export class DefineMachineCommand extends Command<Granted<DefinedMachine>> {
  constructor(
    /** A machine definition as it came. */
    readonly definition: unknown,
    readonly call: Call,
  ) {
    super();
  }
}
