import { readFile } from 'node:fs/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Redial } from 'redial-engine';
import type { MachineInput } from 'redial-engine/machine';

/** Refunds, for the rest of the application. */
@Injectable()
export class Desk implements OnApplicationBootstrap {
  constructor(@Inject(Redial) private readonly redial: Redial) {}

  /** Defining the same machine again changes nothing; a changed one is a new version, which open sessions do not follow. */
  async onApplicationBootstrap(): Promise<void> {
    await this.redial.defineMachine(JSON.parse(await readFile('machine.json', 'utf8')) as MachineInput);
  }

  /**
   * Asks the model for a transition. Status `needs_human`: a person decides, in the console or by `decide`.
   * @param key The same letter twice is one session.
   */
  async receive(key: string, text: string): Promise<{ readonly sessionId: string; readonly status: string }> {
    const { sessionId } = await this.redial.createSession({
      machineName: 'refunds',
      key,
      metaJson: { text },
    });
    const { status } = await this.redial.runSession({ sessionId });
    return { sessionId, status };
  }

  /** The lead accepts the proposal of the clerk. */
  async accept(sessionId: string): Promise<void> {
    const [proposal] = (await this.redial.listProposals({ sessionId })).items;
    if (!proposal) throw new Error(`The session ${sessionId} has no proposal.`);
    await this.redial.decide({ sessionId, specialistId: 'lead', proposalId: proposal.proposalId });
  }
}
