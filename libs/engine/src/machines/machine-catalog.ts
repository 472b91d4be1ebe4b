import { reject } from '#lib/kernel';
import { type MachineDefinition, machineDecider, machineVersion } from '#lib/machine';
import type { CreateSessionInput } from '../commands/create-session.command.js';
import type { DeclaredSpecialists } from '../specialists/declared-specialists.js';
import type { Call } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import { RejectionError } from '../write-side/rejection-error.js';
import { readMachine } from './read-machine.js';

/** The machine a session is to run. */
export interface ChosenMachine {
  readonly machine: MachineDefinition;
  /** Absent where the machine came along. */
  readonly machineVersion?: number;
}

/** Finds machines where they are defined, and takes those that come along. */
export class MachineCatalog {
  constructor(
    private readonly writer: CommandWriter,
    private readonly declared: DeclaredSpecialists,
  ) {}

  /** @throws RejectionError */
  async choose(
    { machineName, machineVersion: version, machine }: CreateSessionInput,
    call: Call,
  ): Promise<ChosenMachine> {
    const stray = machine !== undefined && version !== undefined;
    if (stray || (machineName === undefined) === (machine === undefined))
      throw new RejectionError(nameOrMachine());
    if (machineName === undefined) return { machine: await this.take(machine, call) };
    const state = await this.writer.state(machineDecider, { category: 'machine', id: machineName });
    const defined = machineVersion(state, version);
    if (!defined) throw new RejectionError(unknownMachine(machineName, version));
    return { machine: defined.definition, machineVersion: defined.version };
  }

  private async take(input: unknown, call: Call): Promise<MachineDefinition> {
    const machine = readMachine(input, (candidate) => this.declared.problems(candidate), '/machine');
    await this.declared.check(machine);
    await this.declared.register(machine, call);
    return machine;
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
