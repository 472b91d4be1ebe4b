import { reject, type Rejection } from '#lib/kernel';
import { type CommandContext, OPERATOR, refuse } from '#lib/operations/core';
import { cannotAct, ownHumanId, type PersonTokens } from '#lib/people/core';
import type { Proposer } from '#lib/decisions/specialists';
import type { SessionContext } from './round-context.js';

/** The people who act as human specialists: `specialistId` names a role, and the author is the principal of the call. */
export class Authors {
  constructor(private readonly people: PersonTokens) {}

  /**
   * The author of what a call states as a human specialist: the person of its token. A trusted caller acts as the person of the
   * specialist, unless it names itself.
   * @throws RejectionError `not-that-human` for a caller who is not the specialist's person; `unknown-person` and `role` if that
   * person was deleted or is a viewer
   */
  async of(specialist: Human, session: SessionContext, context: CommandContext): Promise<Author> {
    const { actor, standing, actAs } = context;
    const isOwn = session.machineVersion === undefined && specialist.personId === undefined;
    const { specialistId, personId = specialistId } = specialist;
    const person = isOwn ? ownHumanId(specialistId, session.sessionId ?? '') : personId;
    const caller = standing === 'trusted' ? (actAs ?? person) : actor;
    if (standing === 'operator' || caller !== person) refuse(notThatHuman(specialistId));
    const registered = isOwn ? undefined : await this.people.find(person);
    const refusal = isOwn ? undefined : cannotAct(person, registered);
    if (refusal) refuse(refusal);
    const by = actAs === undefined && actor !== OPERATOR ? actor : person;
    const { groups } = registered ?? {};
    return { by, ...(groups && groups.length > 0 && { groups }) };
  }
}

/** A person who acts, and the groups that they are in. */
export interface Author {
  readonly by: string;
  readonly groups?: readonly string[];
}

type Human = Pick<Proposer, 'specialistId' | 'personId'>;

function notThatHuman(specialistId: string): Rejection {
  return reject('forbidden', 'not-that-human', {
    what: `acting as ${specialistId}`,
    why: 'the caller is not the person who acts as them',
    fix: "Show that person's token; an operator can give them a new one",
  });
}
