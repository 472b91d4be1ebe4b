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

/** The machine that a session is to run. */
interface ChosenMachine {
  readonly machine: MachineDefinition;
  /** Absent if the machine came along, as are the versions. */
  readonly machineVersion?: number;
  readonly specialistVersions?: SpecialistVersions;
  readonly actorTokenHashes?: { readonly [specialistId: string]: string };
}

/** Which machine a session runs: a defined one by name, its latest version unless one is named, or one that comes along. */
interface WhichMachine {
  readonly machineName?: string;
  readonly machineVersion?: number;
  /** A definition as the caller sent it. */
  readonly machine?: unknown;
}

/** The machine that a session is to run, and the tokens of its humans. */
interface MachineChoice extends MadeTokens {
  readonly chosen: ChosenMachine;
}

/** Defines machines, finds defined ones, and accepts those that are sent with a session. */
export class MachineCatalog {
  constructor(
    private readonly writer: CommandWriter,
    private readonly declared: DeclaredSpecialists,
  ) {}

  /**
   * Defines a machine that was read, or its next version. Order: the specialists that it declares, then the machine with their
   * versions. An interrupted call leaves versions that no machine names yet; its repeat continues from there.
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

  /** @param base JSON pointer to a machine that is sent @throws RejectionError */
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

  /** Takes a machine without its registration: its specialists belong to the session alone. */
  private async take(input: unknown, context: CommandContext, base: string): Promise<MachineChoice> {
    const { machine } = await readMachine(input, (candidate) => this.declared.problems(candidate), base);
    const { actorTokenHashes, ...tokens } = this.declared.proofs(machine, context);
    return { chosen: { machine, ...(actorTokenHashes && { actorTokenHashes }) }, ...tokens };
  }
}

/** @param what needs the machine */
export function nameOrMachine(what: string): Rejection {
  const fix = 'Give machineName (and machineVersion, if not the latest), or machine';
  const text = { errorClass: 'InvalidInput', what, why: 'it needs exactly one machine', fix };
  return reject('malformed', 'name-or-machine', text, [
    { path: '/machineName', message: 'give either machineName or machine' },
  ]);
}
