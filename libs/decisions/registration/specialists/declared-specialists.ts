import { type Problem, withoutClass } from '#lib/kernel';
import {
  declaredSpecialists,
  type MachineDefinition,
  type SpecialistVersions,
} from '#lib/decisions/machines';
import { type CommandContext, type CommandWriter, childContext } from '#lib/operations/core';
import type { PersonTokens, Reviewers } from '#lib/people/core';
import {
  type SpecialistRegistration,
  specialistDecider,
  specialistVersion,
} from '#lib/decisions/specialists';
import { reviewerOf, unknownPersonWarnings } from './reviewers.js';
import type { RegistrationChecks } from './registration-checks.js';
import { specialistTarget } from './own-specialists.js';

/** The specialists of machine definitions. */
export class DeclaredSpecialists {
  constructor(
    private readonly writer: CommandWriter,
    private readonly checks: RegistrationChecks,
    private readonly reviewers: Reviewers,
    private readonly tokens: PersonTokens,
  ) {}

  /** The problems of the declarations, each with a JSON pointer into the machine. */
  problems(machine: MachineDefinition): readonly Problem[] {
    return declaredProblems(machine, this.checks);
  }

  /** Warnings about the declarations: they are legal, but probably not as their author meant. */
  async warnings(machine: MachineDefinition): Promise<readonly Problem[]> {
    const found = declarations(machine).map(({ path, registration }) =>
      unknownPersonWarnings(registration, this.reviewers, path),
    );
    return (await Promise.all(found)).flat();
  }

  /** Registers each specialist: a changed body is its next version. A repeat of the call repeats the registrations. */
  async register(machine: MachineDefinition, context: CommandContext): Promise<RegisteredDeclarations> {
    let position: string | undefined;
    const versions: [string, number][] = [];
    const actorTokens: [string, string][] = [];
    const steps = declarations(machine).map(({ registration }) => {
      const step = childContext(context, `specialist-${registration.specialistId}`);
      return { registration, step, target: specialistTarget(registration) };
    });
    // If the key was used with another definition, no specialist is registered.
    for (const { target, step } of steps) await this.writer.checkKey(target, step);
    for (const { registration, step, target } of steps) {
      const { specialistId } = registration;
      const data = { registration, declared: true } as const;
      const command = { type: 'RegisterSpecialist', data } as const;
      const answer = await this.writer.send(specialistDecider, target, command, step);
      const reviewer = await reviewerOf(registration, this.reviewers, step);
      position = reviewer.position ?? answer.position ?? position;
      versions.push([specialistId, specialistVersion(answer.state)?.version ?? 0]);
      if (reviewer.token !== undefined) actorTokens.push([specialistId, reviewer.token]);
    }
    return { position, versions: Object.fromEntries(versions), ...given(actorTokens) };
  }

  /**
   * The tokens of the humans of a machine that comes with a session, and the hashes for the session. The humans act in that
   * session alone, unless they name a person.
   */
  proofs(machine: MachineDefinition, context: CommandContext): OwnProofs {
    const tokens = declarations(machine).flatMap(({ registration }): [string, string][] => {
      const { specialistId, isHuman, personId } = registration;
      if (!isHuman || personId !== undefined) return [];
      const { commandId } = childContext(context, `specialist-${specialistId}`);
      return [[specialistId, this.tokens.tokenFor(specialistId, commandId)]];
    });
    if (tokens.length === 0) return {};
    const hashes = tokens.map(([specialistId, token]) => [specialistId, this.tokens.hashOf(token)]);
    return { ...given(tokens), actorTokenHashes: Object.fromEntries(hashes) as ById };
  }
}

/** The problems of a machine's specialists, by these checks. */
export function declaredProblems(machine: MachineDefinition, checks: RegistrationChecks): readonly Problem[] {
  return declarations(machine).flatMap(({ path, registration }) => {
    const refusal = checks.refusal(registration);
    return refusal ? [{ path, message: withoutClass(refusal.message) }] : [];
  });
}

type ById = { readonly [specialistId: string]: string };

/** The tokens made with a machine. */
export interface MadeTokens {
  /** By the ids of the machine's humans: the token that proves a person's identity as this human. Returned once, and stored only as a hash. */
  readonly actorTokens?: ById;
}

interface OwnProofs extends MadeTokens {
  readonly actorTokenHashes?: ById;
}

/** The result of registering a machine's specialists. */
interface RegisteredDeclarations extends MadeTokens {
  /** The position of the last registration; `undefined` if all were registered before. */
  readonly position: string | undefined;
  /** The versions of the registered specialists. */
  readonly versions: SpecialistVersions;
}

interface Declared {
  readonly path: string;
  readonly registration: SpecialistRegistration;
}

function declarations(machine: MachineDefinition): readonly Declared[] {
  const { machineName } = machine;
  return declaredSpecialists(machine).map(({ path, declaration }) => ({
    path,
    registration: { ...declaration, machineName },
  }));
}

function given(actorTokens: readonly (readonly [string, string])[]): MadeTokens {
  return actorTokens.length > 0 ? { actorTokens: Object.fromEntries(actorTokens) } : {};
}
