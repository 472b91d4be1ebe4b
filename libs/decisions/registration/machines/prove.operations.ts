import { Query } from '@nestjs/cqrs';
import { isRejection, type Problem, type Rejection, reject } from '#lib/kernel';
import {
  type MachineDefinition as Definition,
  type MachineInput,
  type MachineProperty,
  propertiesSchema,
  proveMachine,
  unknownMachine,
  unknownNames,
} from '#lib/decisions/machines';
import {
  type Authored,
  Describe,
  Fits,
  IsA,
  IsName,
  IsWhole,
  Operation,
  Optional,
  readsRows,
} from '#lib/operations';
import { getMachine, type Rows } from '#lib/read-models';
import { nameOrMachine } from './machine-catalog.js';
import { MachineDefinition, MachineProof } from './machines.views.js';
import { readUnproved } from './read-machine.js';

@Operation({
  summary: 'Say what a machine can do, and check properties of all its sessions, without running it',
  http: 'POST /v1/machines/prove',
  access: 'viewer',
  answers: { 200: MachineProof },
})
export class ProveMachine extends Query<MachineProof> {
  @Describe('A defined machine; either this or `machine`', { example: 'refunds' })
  @Optional()
  @IsName()
  machineName?: string;

  @Describe('Default: the current version')
  @Optional()
  @IsWhole(1)
  machineVersion?: number;

  @Describe('A definition, instead of a name')
  @Optional()
  @IsA(MachineDefinition)
  machine?: Authored<MachineInput>;

  @Describe('Besides those that the machine states')
  @Optional()
  @Fits(propertiesSchema)
  properties?: readonly MachineProperty[];
}

export const ProveMachineHandler = readsRows(ProveMachine, ['machines'], async (db, query) => {
  const machine = await meantMachine(db, query);
  if (isRejection(machine)) return machine;
  const { properties = [] } = query;
  const unknown = unknownNames(machine.states, properties);
  return unknown.length > 0 ? unknownInProperties(unknown) : proveMachine(machine, properties);
});

async function meantMachine(
  db: Rows<'machines'>,
  { machineName, machineVersion, machine }: ProveMachine,
): Promise<Definition | Rejection> {
  const isStray = machine !== undefined && machineVersion !== undefined;
  if (isStray || (machineName === undefined) === (machine === undefined)) return nameOrMachine('the proof');
  if (machineName === undefined) return readUnproved(machine, '/machine');
  const defined = await getMachine(db, machineName, machineVersion);
  return defined?.definition ?? unknownMachine(machineName, machineVersion);
}

function unknownInProperties(problems: readonly Problem[]): Rejection {
  const why = `${problems[0]?.path ?? ''} ${problems[0]?.message ?? ''}`;
  const fix = 'Name states and transitions of the machine';
  return reject('refused', 'invalid-property', { what: 'the properties', why, fix }, problems);
}
