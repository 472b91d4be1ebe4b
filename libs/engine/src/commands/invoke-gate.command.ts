import { Command } from '@nestjs/cqrs';
import type { GateResult } from '#lib/gate';
import type { JsonObject } from '#lib/kernel';
import type { Call, Granted } from '#lib/operations';

export interface InvokeGateInput {
  readonly gateId: string;
  /** What is to be decided about: proposers see it. */
  readonly metaJson?: JsonObject;
}

/** Has a gate decide: a session of its own, everybody asked at the same time, then the arbiter. */
export class InvokeGateCommand extends Command<Granted<GateResult>> {
  constructor(
    readonly input: InvokeGateInput,
    readonly call: Call,
  ) {
    super();
  }
}
