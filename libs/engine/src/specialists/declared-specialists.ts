import { escapePointerToken, type Problem, reject } from '#lib/kernel';
import type { MachineDefinition, SpecialistDeclaration } from '#lib/machine';
import { specialistDecider, type SpecialistRegistration } from '#lib/specialist';
import { type Call, subCall } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import { RejectionError } from '../write-side/rejection-error.js';
import type { ActorTokens } from './actor-tokens.js';
import type { RegistrationChecks } from './registration-checks.js';

/** The specialists that a machine brings along: registered with it, where they are not registered yet. */
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

  /** @throws RejectionError when an id is taken by a specialist of another machine */
  async check(machine: MachineDefinition): Promise<void> {
    for (const { registration } of declarations(machine)) {
      const { specialistId, machineName } = registration;
      const there = await this.writer.state(specialistDecider, { category: 'specialist', id: specialistId });
      if (there && there.machineName !== machineName)
        throw new RejectionError(takenElsewhere(specialistId, there.machineName));
    }
  }

  /** Registers those that are not there yet, and repeats the registrations of a call that is repeated. */
  async register(machine: MachineDefinition, call: Call): Promise<RegisteredDeclarations> {
    let position: string | undefined;
    const actorTokens: [string, string][] = [];
    for (const { registration } of declarations(machine)) {
      const { specialistId, isHuman } = registration;
      const step = subCall(call, `specialist-${specialistId}`);
      const proof = this.tokens.proofFor(step, isHuman);
      const command = { type: 'RegisterSpecialist', data: { registration, ...proof?.stored } } as const;
      try {
        const target = { category: 'specialist', id: specialistId } as const;
        const answer = await this.writer.send(specialistDecider, target, command, step);
        position = answer.position;
        if (proof?.isOf(answer.state)) actorTokens.push([specialistId, proof.token]);
      } catch (error) {
        if (!isThereAlready(error)) throw error;
      }
    }
    return { position, ...(actorTokens.length > 0 && { actorTokens: Object.fromEntries(actorTokens) }) };
  }
}

/** What registering a machine's specialists gave. */
export interface RegisteredDeclarations {
  /** Of the last registration; `undefined` where all were there before. */
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
      registration: registrationOf(machine, declared),
    })),
  );
  const first = new Map(all.toReversed().map((declared) => [declared.registration.specialistId, declared]));
  return all.filter((declared) => first.get(declared.registration.specialistId) === declared);
}

function registrationOf(
  { machineName }: MachineDefinition,
  declared: SpecialistDeclaration,
): SpecialistRegistration {
  const { disabled: _disabled, ...registration } = declared;
  return { ...registration, machineName };
}

function isThereAlready(error: unknown): boolean {
  return error instanceof RejectionError && error.rejection.code === 'specialist-exists';
}

function takenElsewhere(specialistId: string, machineName: string) {
  return reject('conflict', 'specialist-exists', {
    errorClass: 'SpecialistExists',
    what: `declared specialist ${specialistId}`,
    why: `the id is taken by a specialist of machine ${machineName}`,
    fix: 'Choose another id',
  });
}
