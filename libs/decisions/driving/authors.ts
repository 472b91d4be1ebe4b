import { reject, type Rejection } from '#lib/kernel';
import { type CommandContext, OPERATOR, personOf, refuse } from '#lib/operations/core';
import { cannotAct, type PersonTokens } from '#lib/people/core';
import type { Proposer } from '#lib/decisions/specialists';
import { isOwnHuman, ownHumansOf, personOfHuman } from './people-of-session.js';
import type { SessionContext } from './round-context.js';

/** The persons behind callers and human specialists: `specialistId` names a role, and the author is the principal of the call. */
export class Authors {
  constructor(private readonly people: PersonTokens) {}

  /**
   * The author of a human specialist's proposal or decision: the person of the token. A trusted caller acts as the specialist's
   * person, unless it names another registered one.
   * @throws RejectionError `not-that-human` if the caller is not the specialist's person; `unknown-person` and `role` if that
   * person was deleted or is a viewer
   */
  async of(specialist: Human, session: SessionContext, context: CommandContext): Promise<Author> {
    const { actor, standing, actAs } = context;
    const person = personOfHuman(specialist, session);
    const caller = standing === 'trusted' ? (actAs ?? person) : actor;
    if (standing === 'operator' || caller !== person) refuse(notThatHuman(specialist.specialistId));
    const isOwn = isOwnHuman(specialist, session);
    const registered = isOwn ? undefined : await this.people.find(person);
    const refusal = isOwn ? undefined : cannotAct(person, registered);
    if (refusal) refuse(refusal);
    const isNamed = actAs === undefined && actor !== OPERATOR && actor !== person;
    if (isNamed && (await this.caller(context, session))) refuse(notThatHuman(specialist.specialistId));
    return authorIn(person, registered);
  }

  /**
   * The person who calls; `undefined` if the caller is none: code of this process may name an actor that is no person.
   * @param session whose own humans count as people too
   * @throws RejectionError `role` for a viewer
   */
  async caller(context: CommandContext, session?: SessionContext): Promise<Author | undefined> {
    const by = personOf(context);
    if (by === undefined) return undefined;
    if (session && ownHumansOf(session).includes(by)) return { by };
    const registered = await this.people.find(by);
    const refusal = registered && cannotAct(by, registered);
    if (refusal) refuse(refusal);
    return registered && authorIn(by, registered);
  }
}

/** A person who acts, with their groups. */
export interface Author {
  readonly by: string;
  readonly groups?: readonly string[];
}

type Human = Pick<Proposer, 'specialistId' | 'personId'>;
type Registered = Awaited<ReturnType<PersonTokens['find']>>;

function authorIn(by: string, registered: Registered): Author {
  const { groups } = registered ?? {};
  return { by, ...(groups && groups.length > 0 && { groups }) };
}

function notThatHuman(specialistId: string): Rejection {
  return reject('forbidden', 'not-that-human', {
    what: `acting as ${specialistId}`,
    why: 'the caller is not the person who acts as them',
    fix: "Show that person's token; an operator can give them a new one",
  });
}
