import { Command } from '@nestjs/cqrs';
import type { Problem } from '#lib/kernel';
import type { Call, Granted } from '#lib/operations';
import type { MachineRecord } from '#lib/projections';
import type { MadeTokens } from '../specialists/declared-specialists.js';

/** A version of a machine, and the tokens of the humans that were registered with it: given once, stored only as hashes. */
export type DefinedMachine = MachineRecord &
  MadeTokens & {
    /** What is legal in the definition and probably not meant. */
    readonly warnings: readonly Problem[];
  };

/** Defines a machine, or its next version; a changed body of a declared specialist is its next version. */
export class DefineMachineCommand extends Command<Granted<DefinedMachine>> {
  constructor(
    /** A machine definition as it came. */
    readonly definition: unknown,
    readonly call: Call,
  ) {
    super();
  }
}
