import type { CommandContext, CommandWriter } from '#lib/operations/core';
import { personDecider } from './people.decider.js';
import type { PersonTokens } from './person-tokens.js';

/** A registered person, and the position of the registration. */
export interface Reviewer {
  /** In the answer to the call that registered the person, and to its repeats. Absent if the person was registered before. */
  readonly token?: string;
  readonly position: string | undefined;
}

/** The people of human specialists that name no person: each has the id of the specialist. */
export class Reviewers {
  constructor(
    private readonly writer: CommandWriter,
    private readonly tokens: PersonTokens,
  ) {}

  /** Whether a person is registered under the id, in any role. */
  async isRegistered(personId: string): Promise<boolean> {
    return (await this.writer.state(personDecider, { category: 'person', id: personId })) !== undefined;
  }

  /** Registers the person as a reviewer unless the id is taken, in any role. */
  async ensure(personId: string, context: CommandContext): Promise<Reviewer> {
    const token = this.tokens.tokenFor(personId, context.commandId);
    const tokenHash = this.tokens.hashOf(token);
    const data = { personId, role: 'reviewer', tokenHash, unlessRegistered: true } as const;
    const target = { category: 'person', id: personId } as const;
    const command = { type: 'RegisterPerson', data } as const;
    const { state, position } = await this.writer.send(personDecider, target, command, context);
    return { position, ...(state?.tokenHash === tokenHash && { token }) };
  }
}
