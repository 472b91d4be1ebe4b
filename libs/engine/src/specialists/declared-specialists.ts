import { escapePointerToken, type Problem } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import { specialistDecider, type SpecialistRegistration } from '#lib/specialist';
import { type Call, subCall } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import type { ActorTokens } from './actor-tokens.js';
import type { RegistrationChecks } from './registration-checks.js';
import { specialistTarget } from './specialist-target.js';

/** The specialists that a machine's definition declares, with their bodies. */
export class DeclaredSpecialists {
  constructor(
    private readonly writer: CommandWriter,
    private readonly checks: RegistrationChecks,
    private readonly tokens: ActorTokens,
  ) {}

  /** What is wrong with the declarations, each with a JSON pointer into the machine. */
  problems(machine: MachineDefinition): readonly Problem[] {
    return declarations(machine).flatMap(({ path, registration }) => {
      const refusal = this.checks.refusal(registration);
      return refusal ? [{ path, message: refusal.message }] : [];
    });
  }

  /** Registers each: a changed body is the next version of its specialist. A repeat of the call repeats the registrations. */
  async register(machine: MachineDefinition, call: Call): Promise<RegisteredDeclarations> {
    let position: string | undefined;
    const actorTokens: [string, string][] = [];
    for (const { registration } of declarations(machine)) {
      const { specialistId, isHuman } = registration;
      const step = subCall(call, `specialist-${specialistId}`);
      const proof = this.tokens.proofFor(step, isHuman);
      const data = { registration, declared: true, ...proof?.stored } as const;
      const target = specialistTarget(registration);
      const command = { type: 'RegisterSpecialist', data } as const;
      const answer = await this.writer.send(specialistDecider, target, command, step);
      position = answer.position ?? position;
      if (proof?.isOf(answer.state)) actorTokens.push([specialistId, proof.token]);
    }
    return { position, ...(actorTokens.length > 0 && { actorTokens: Object.fromEntries(actorTokens) }) };
  }
}

/** What registering a machine's specialists gave. */
export interface RegisteredDeclarations {
  /** Of the last registration; `undefined` where all were registered so before. */
  readonly position: string | undefined;
  /** For the humans among them, by id: the token that proves who acts as them. Given now and stored only as a hash. */
  readonly actorTokens?: { readonly [specialistId: string]: string };
}

interface Declared {
  readonly path: string;
  readonly registration: SpecialistRegistration;
}

/** Of the machine and then of its states, each id once: the first declaration is the one that is registered. */
function declarations(machine: MachineDefinition): readonly Declared[] {
  const places = [
    { base: '/specialists', list: machine.specialists ?? [] },
    ...Object.entries(machine.states).map(([state, { specialists }]) => ({
      base: `/states/${escapePointerToken(state)}/specialists`,
      list: specialists ?? [],
    })),
  ];
  const all = places.flatMap(({ base, list }) =>
    list.map((declared, index) => ({
      path: `${base}/${index}`,
      registration: { ...declared, machineName: machine.machineName },
    })),
  );
  const first = new Map(all.toReversed().map((declared) => [declared.registration.specialistId, declared]));
  return all.filter((declared) => first.get(declared.registration.specialistId) === declared);
}
