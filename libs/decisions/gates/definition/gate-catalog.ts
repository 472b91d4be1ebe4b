import type { EventLog } from '#lib/event-store';
import { gateDecider } from '../gate.decider.js';
import type { GateEvent } from '../gate.events.js';
import { gateMachine, isGateMachine, normalizeGate } from './gate-machine.js';
import { gateWarnings, inspectGate } from './inspect-gate.js';
import { nameTaken, unknownGate } from '../gate.rejections.js';
import { below, firstProblem, fold, invalidDefinition, type Problem, type Rejection } from '#lib/kernel';
import {
  inspectMachine,
  machineDecider,
  type MachineDefinition,
  machineVersion,
} from '#lib/decisions/machines';
import {
  type CommandContext,
  type CommandWriter,
  type Written,
  refuse,
  childContext,
  RejectionError,
} from '#lib/operations/core';
import type { CreatedGate, Gate } from '../gates.views.js';
import type { DeclaredSpecialists, MachineCatalog } from '#lib/decisions/registration/core';
import { machineTemplateWarnings } from '#lib/decisions/solicitation';
import type { GateDefinition, GateInput } from './gate-definition.js';

/** Creates, deletes and finds gates. */
export class GateCatalog {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly machines: MachineCatalog,
    private readonly declared: DeclaredSpecialists,
  ) {}

  /**
   * Order: the machine, its specialists, then the gate. A call that is cut off leaves a machine without a gate, and its repeat
   * continues from there; once the gate exists, its machine and specialists exist.
   * @throws RejectionError
   */
  async create(input: unknown, context: CommandContext): Promise<Written<CreatedGate>> {
    const definition = readGate(input, (one) => this.declared.problems(one));
    const target = { category: 'gate', id: definition.gateId } as const;
    await this.writer.bindKey(target, context);
    await this.writer.checkKey(target, context);
    await this.checkName(definition.gateId);
    const machine = await this.machines.define(gateMachine(definition), childContext(context, 'machine'));
    const { version: machineVersion, actorTokens } = machine.value;
    const command = { type: 'CreateGate', data: { definition, machineVersion } } as const;
    const answer = await this.writer.send(gateDecider, target, command, context);
    const warnings = await this.warnings(gateMachine(definition));
    const gate = answer.state.gate ?? refuse(unknownGate(definition.gateId));
    return {
      value: { ...gate, ...(actorTokens && { actorTokens }), ...(warnings.length > 0 && { warnings }) },
      position: answer.position ?? machine.position,
      created: answer.events.length > 0,
    };
  }

  /** @returns the gate before its deletion @throws RejectionError if there is none */
  async delete(gateId: string, context: CommandContext): Promise<Written<Gate>> {
    const target = { category: 'gate', id: gateId } as const;
    const command = { type: 'DeleteGate', data: { gateId } } as const;
    const { revision, position } = await this.writer.send(gateDecider, target, command, context);
    const stream = this.log.streams.of('gate', gateId);
    const before = fold(gateDecider, await this.log.readStream<GateEvent>(stream, { limit: revision }));
    return { value: before.gate ?? refuse(unknownGate(gateId)), position, created: false };
  }

  /** @throws RejectionError if there is none */
  async get(gateId: string): Promise<Gate> {
    const { gate } = await this.writer.state(gateDecider, { category: 'gate', id: gateId });
    return gate ?? refuse(unknownGate(gateId));
  }

  private async warnings(machine: MachineDefinition): Promise<readonly Problem[]> {
    const declared = await this.declared.warnings(machine);
    return gateWarnings([
      ...inspectMachine(machine).warnings,
      ...machineTemplateWarnings(machine),
      ...declared,
    ]);
  }

  private async checkName(gateId: string): Promise<void> {
    const { lastVersion } = await this.writer.state(gateDecider, { category: 'gate', id: gateId });
    if (lastVersion > 0) return;
    const machine = machineVersion(
      await this.writer.state(machineDecider, { category: 'machine', id: gateId }),
    );
    if (machine && !isGateMachine(machine.definition)) refuse(nameTaken(gateId));
  }
}

/**
 * A gate definition from outside, normalized.
 * @param rules further rules for the machine of a valid gate
 * @throws RejectionError with all problems at once: malformed if it cannot be read, refused if it breaks a rule
 */
function readGate(input: unknown, rules: (machine: MachineDefinition) => readonly Problem[]): GateDefinition {
  const errors = inspectGate(input);
  const isMalformed = errors.some(({ kind }) => kind === 'malformed');
  if (errors.length > 0) throw new RejectionError(invalidGate(isMalformed, errors));
  const gate = normalizeGate(input as GateInput);
  const broken = rules(gateMachine(gate));
  if (broken.length > 0) throw new RejectionError(invalidGate(false, broken));
  return gate;
}

function invalidGate(isMalformed: boolean, problems: readonly Problem[]): Rejection {
  const text = { why: firstProblem(problems), fix: 'Correct the listed problems' };
  return invalidDefinition('gate', isMalformed, below('', problems), text);
}
