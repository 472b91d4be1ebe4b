import { Command } from '@nestjs/cqrs';
import type { JsonObject } from '#lib/kernel';
import type { SessionView } from '#lib/session';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

/** Which machine a session runs: a defined one by name, its latest version unless one is named, or one that comes along. */
export interface CreateSessionInput {
  readonly machineName?: string;
  readonly machineVersion?: number;
  /** A machine definition as it came. */
  readonly machine?: unknown;
  readonly metaJson?: JsonObject;
}

/** Starts a session. A machine that comes along has its declared specialists registered, and is not defined for others. */
export class CreateSessionCommand extends Command<Granted<SessionView>> {
  constructor(
    readonly input: CreateSessionInput,
    readonly call: Call,
  ) {
    super();
  }
}
