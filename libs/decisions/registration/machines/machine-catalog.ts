import { reject, type Rejection } from '#lib/kernel';
import {
  type MachineDefinition,
  machineDecider,
  machineVersion,
  type SpecialistVersions,
  unknownMachine,
} from '#lib/decisions/machines';
import { type CommandContext, type CommandWriter, type Written, RejectionError } from '#lib/operations/core';
import type { DeclaredSpecialists, MadeTokens } from '../specialists/declared-specialists.js';
import type { MachineRecord } from '#lib/read-models';
import { readMachine } from './read-machine.js';

interface ChosenMachine {
  readonly machine: MachineDefinition;
  /** Absent, like the versions of specialists, if the machine came with the session. */
  readonly machineVersion?: number;
  readonly specialistVersions?: SpecialistVersions;
  readonly actorTokenHashes?: { readonly [specialistId: string]: string };
}

/** The choice of a session's machine: a defined one by name, by default in its current version, or one in the call. */
interface WhichMachine {
  readonly machineName?: string;
  readonly machineVersion?: number;
  /** The definition as sent by the caller. */
  readonly machine?: unknown;
}

/** The machine for a session, and the tokens of its humans. */
interface MachineChoice extends MadeTokens {
  readonly chosen: ChosenMachine;
}

/** Defines machines, finds defined ones, and accepts those in calls for sessions. */
export class MachineCatalog {
  constructor(
    private readonly writer: CommandWriter,
    private readonly declared: DeclaredSpecialists,
  ) {}

  /**
   * Defines a checked machine, or its next version. Order: its specialists, then the machine with their versions. An interrupted
   * call leaves versions that no machine names yet; its repeat continues from there.
   */
  async define(
    definition: MachineDefinition,
    context: CommandContext,
  ): Promise<Written<MachineRecord & MadeTokens>> {
    const { machineName } = definition;
    const target = { category: 'machine', id: machineName } as const;
    await this.writer.checkKey(target, context);
    const {
      position,
      versions: specialistVersions,
      ...tokens
    } = await this.declared.register(definition, context);
    const command = { type: 'DefineMachine', data: { definition, specialistVersions } } as const;
    const answer = await this.writer.send(machineDecider, target, command, context);
    const { version, hash } = machineVersion(answer.state) ?? { version: 0, hash: '' };
    const value = { machineName, version, hash, definition, ...tokens };
    const created = answer.events.some(({ type }) => type === 'MachineDefined');
    return { value, position: answer.position ?? position, created };
  }

  /** @param base JSON pointer to a machine in the call @throws RejectionError */
  async choose(
    { machineName, machineVersion: version, machine }: WhichMachine,
    context: CommandContext,
    base = '/machine',
  ): Promise<MachineChoice> {
    const stray = machine !== undefined && version !== undefined;
    if (stray || (machineName === undefined) === (machine === undefined))
      throw new RejectionError(nameOrMachine('the session'));
    if (machineName === undefined) return this.take(machine, context, base);
    const state = await this.writer.state(machineDecider, { category: 'machine', id: machineName });
    const defined = machineVersion(state, version);
    if (!defined) throw new RejectionError(unknownMachine(machineName, version));
    const { definition, specialistVersions } = defined;
    return { chosen: { machine: definition, machineVersion: defined.version, specialistVersions } };
  }

  /** Accepts a machine without defining it: its specialists belong to the session alone. */
  private async take(input: unknown, context: CommandContext, base: string): Promise<MachineChoice> {
    const { machine } = await readMachine(input, (candidate) => this.declared.problems(candidate), base);
    const { actorTokenHashes, ...tokens } = this.declared.proofs(machine, context);
    return { chosen: { machine, ...(actorTokenHashes && { actorTokenHashes }) }, ...tokens };
  }
}

/** @param what the part that needs the machine */
export function nameOrMachine(what: string): Rejection {
  const fix = 'Give machineName (and machineVersion, if not the latest), or machine';
  const text = { errorClass: 'InvalidInput', what, why: 'it needs exactly one machine', fix };
  return reject('malformed', 'name-or-machine', text, [
    { path: '/machineName', message: 'give either machineName or machine' },
  ]);
}
