import { Command } from '@nestjs/cqrs';
import type { JsonObject } from '#lib/kernel';
import type { Call, Granted } from '#lib/operations';
import type { SessionView } from '#lib/session';
import type { MadeTokens } from '../specialists/declared-specialists.js';

/** Which machine a session runs: a defined one by name, its latest version unless one is named, or one that comes along. */
export interface CreateSessionInput {
  readonly machineName?: string;
  readonly machineVersion?: number;
  /** A machine definition as it came. */
  readonly machine?: unknown;
  readonly metaJson?: JsonObject;
}

/** A session, and the tokens of the humans that came along with its machine: given once, stored only as hashes. */
export type CreatedSession = SessionView & MadeTokens;

/** Starts a session. A machine that comes along is not defined for others, and its specialists belong to the session alone. */
export class CreateSessionCommand extends Command<Granted<CreatedSession>> {
  constructor(
    readonly input: CreateSessionInput,
    readonly call: Call,
  ) {
    super();
  }
}
