import { reject } from '#lib/kernel';
import { type MachineDefinition, machineDecider, machineVersion } from '#lib/machine';
import type { CreateSessionInput } from '../commands/create-session.command.js';
import type { DefinedMachine } from '../commands/define-machine.command.js';
import type { DeclaredSpecialists, RegisteredDeclarations } from '../specialists/declared-specialists.js';
import type { Call } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import type { Granted } from '../write-side/granted.js';
import { RejectionError } from '../write-side/rejection-error.js';
import { readMachine } from './read-machine.js';

/** The machine a session is to run. */
export interface ChosenMachine {
  readonly machine: MachineDefinition;
  /** Absent where the machine came along. */
  readonly machineVersion?: number;
}

/** The machine a session is to run, and the tokens of the humans that came along with it. */
export interface MachineChoice extends Pick<RegisteredDeclarations, 'actorTokens'> {
  readonly chosen: ChosenMachine;
}

/** Defines machines, finds them where they are defined, and takes those that come along. */
export class MachineCatalog {
  constructor(
    private readonly writer: CommandWriter,
    private readonly declared: DeclaredSpecialists,
  ) {}

  /**
   * Defines a machine that was read, or its next version, and registers the specialists that it declares.
   */
  async define(
    definition: MachineDefinition,
    call: Call,
  ): Promise<Granted<Omit<DefinedMachine, 'warnings'>>> {
    const { machineName } = definition;
    const command = { type: 'DefineMachine', data: { definition } } as const;
    const target = { category: 'machine', id: machineName } as const;
    const answer = await this.writer.send(machineDecider, target, command, call);
    const { position = answer.position, ...tokens } = await this.declared.register(definition, call);
    const { version, hash } = machineVersion(answer.state) ?? { version: 0, hash: '' };
    const value = { machineName, version, hash, definition, ...tokens };
    return { value, position, created: answer.events.length > 0 };
  }

  /** @throws RejectionError */
  async choose(
    { machineName, machineVersion: version, machine }: CreateSessionInput,
    call: Call,
  ): Promise<MachineChoice> {
    const stray = machine !== undefined && version !== undefined;
    if (stray || (machineName === undefined) === (machine === undefined))
      throw new RejectionError(nameOrMachine());
    if (machineName === undefined) return this.take(machine, call);
    const state = await this.writer.state(machineDecider, { category: 'machine', id: machineName });
    const defined = machineVersion(state, version);
    if (!defined) throw new RejectionError(unknownMachine(machineName, version));
    return { chosen: { machine: defined.definition, machineVersion: defined.version } };
  }

  private async take(input: unknown, call: Call): Promise<MachineChoice> {
    const { machine } = readMachine(input, (candidate) => this.declared.problems(candidate), '/machine');
    const { position: _position, ...tokens } = await this.declared.register(machine, call);
    return { chosen: { machine }, ...tokens };
  }
}

/** Nobody defined this machine, or not this version of it. */
export function unknownMachine(machineName: string, version?: number) {
  return reject('unknown', 'unknown-machine', {
    errorClass: 'UnknownMachine',
    what: `machine ${machineName}${version === undefined ? '' : ` version ${version}`}`,
    why: 'it is not defined',
    fix: 'Define it with POST /v1/machines, or check name and version',
  });
}

function nameOrMachine() {
  const fix = 'Give machineName (and machineVersion, if not the latest), or machine';
  const text = { errorClass: 'InvalidInput', what: 'the session', why: 'it needs exactly one machine', fix };
  return reject('malformed', 'name-or-machine', text, [
    { path: '/machineName', message: 'give either machineName or machine' },
  ]);
}
