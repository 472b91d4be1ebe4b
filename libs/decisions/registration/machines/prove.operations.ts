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
import { type Authored, input, is, Operation, readsRows } from '#lib/operations';
import { getMachine, type Rows } from '#lib/read-models';
import { nameOrMachine } from './machine-catalog.js';
import { MachineDefinition, MachineProof } from './machines.views.js';
import { readUnproved } from './read-machine.js';

@Operation({
  summary: 'Check properties of all sessions of a machine without running it',
  http: 'POST /v1/machines/prove',
  access: 'viewer',
  answers: { 200: MachineProof },
  problems: [404],
})
export class ProveMachine extends input(Query<MachineProof>, {
  machineName: is.name.optional.about('A defined machine; either this or `machine`', { example: 'refunds' }),
  machineVersion: is.whole(1).optional.about('Default: the current version'),
  machine: is.a<Authored<MachineInput>>(MachineDefinition).optional.about('A definition, instead of a name'),
  properties: is
    .fitting<readonly MachineProperty[]>(propertiesSchema)
    .optional.about("Further properties, besides the machine's own"),
}) {}

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
