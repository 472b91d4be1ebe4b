import { type EventLog, keyReused } from '#lib/event-store';
import { findCommand, type ReadStore } from '#lib/projections';
import type { ReadSide } from '../read-side/read-side.js';
import type { CommandContext } from './command-context.js';
import type { Target } from './command-writer.js';
import { RejectionError } from './rejection-error.js';

/**
 * Finds keys that came before with another body, when the body names the stream (machines and specialists): the stream
 * that the command would go to does not know of them.
 */
export class KeyRegister {
  constructor(
    private readonly log: EventLog,
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /** @throws RejectionError when the key was used for something else */
  async check({ keyed, commandId }: CommandContext, { category, id }: Target): Promise<void> {
    if (!keyed) return;
    await this.reads.waitForHead(['commands']);
    const granted = await findCommand(this.store.db, commandId);
    if (granted && granted.stream !== this.log.streams.of(category, id))
      throw new RejectionError(keyReused());
  }
}
