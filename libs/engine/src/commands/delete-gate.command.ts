import { Command } from '@nestjs/cqrs';
import type { Gate } from '#lib/gate';
import type { Call, Granted } from '#lib/operations';

/** Deletes a gate; the answer is the gate as it was. Its invocations stay, and can be decided by people still. */
export class DeleteGateCommand extends Command<Granted<Gate>> {
  constructor(
    readonly gateId: string,
    readonly call: Call,
  ) {
    super();
  }
}
