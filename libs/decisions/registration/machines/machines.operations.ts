import { Logger } from '@nestjs/common';
import { Command, Query } from '@nestjs/cqrs';
import { isRejection } from '#lib/kernel';
import {
  inspectMachine,
  machineDiagram,
  type MachineInput,
  normalizeMachine,
  unknownMachine,
} from '#lib/decisions/machines';
import {
  answeredBy,
  CommandWriter,
  currentContext,
  input,
  is,
  markCreated,
  Operation,
  page,
  pageMembers,
  readMembers,
  readsRows,
  readsRowsOf,
  text,
} from '#lib/operations';
import { getMachine, listMachines, type Page, type Rows } from '#lib/read-models';
import { DeclaredSpecialists } from '../specialists/declared-specialists.js';
import { MachineCatalog } from './machine-catalog.js';
import { DefinedMachine, Machine, MachineDefinition, MachineReport } from './machines.views.js';
import { readMachine } from './read-machine.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { machineTemplateWarnings } from '#lib/decisions/solicitation';

@Operation({
  summary: 'Define a machine, or its next version, and register the specialists it declares',
  http: 'POST /v1/machines',
  cli: 'machines define <machine>',
  access: 'operator',
  answers: { 200: DefinedMachine, 201: DefinedMachine },
})
export class DefineMachine extends input(Command<DefinedMachine>, {
  machine: is.definition<MachineInput>(MachineDefinition).about('A machine definition'),
}) {}

// Logged, because applications that define their machines at the start ignore the answer.
const logger = new Logger('Machines');

export const DefineMachineHandler = answeredBy(
  DefineMachine,
  [CommandWriter, MachineCatalog, DeclaredSpecialists],
  async ({ machine: input }, writer, machines, declared) => {
    const context = currentContext();
    const { machine, warnings } = await readMachine(input, (candidate) => declared.problems(candidate));
    await writer.bindKey({ category: 'machine', id: machine.machineName }, context);
    const { value, created } = await machines.define(machine, context);
    markCreated(created);
    const all = [...warnings, ...(await declared.warnings(machine))];
    for (const { path, message } of all) logger.warn(`machine ${machine.machineName}: ${path} ${message}`);
    return { ...value, warnings: all };
  },
);

@Operation({
  summary: 'Check a machine without defining it',
  http: 'POST /v1/machines/validate',
  access: 'viewer',
  answers: { 200: MachineReport },
})
export class ValidateMachine extends input(Query<MachineReport>, {
  machine: is.definition<MachineInput>(MachineDefinition).about('The value to check as a machine definition'),
}) {}

export const ValidateMachineHandler = answeredBy(
  ValidateMachine,
  [DeclaredSpecialists],
  ({ machine }, declared) => inspectMachineWhole(machine, declared),
);

@Operation({
  summary: 'The current version of each machine, by name',
  http: 'GET /v1/machines',
  cli: 'machines list',
  access: 'viewer',
  answers: { 200: page(Machine) },
})
export class ListMachines extends input(Query<Page<Machine>>, pageMembers) {}

export const ListMachinesHandler = readsRows(ListMachines, ['machines'], listMachines);

function streamOf({ machineName }: GetMachine | GetMachineDiagram): readonly ['machine', string] {
  return ['machine', machineName];
}

const oneMachineMembers = {
  machineName: is.nameOf(unknownMachine),
  version: is.whole(1).optional.about('Default: the current version'),
  ...readMembers,
};

@Operation({
  summary: 'A machine in one of its versions',
  http: 'GET /v1/machines/:machineName',
  cli: 'machines show <machineName> [version]',
  access: 'viewer',
  answers: { 200: Machine },
})
export class GetMachine extends input(Query<Machine>, oneMachineMembers) {}

export const GetMachineHandler = readsRowsOf(GetMachine, streamOf, ['machines'], oneMachine);

@Operation({
  summary: 'A machine as a Mermaid state diagram',
  http: 'GET /v1/machines/:machineName/diagram',
  cli: 'diagram <machineName> [version]',
  access: 'viewer',
  answers: { 200: text('text/vnd.mermaid') },
})
export class GetMachineDiagram extends input(Query<string>, oneMachineMembers) {}

export const GetMachineDiagramHandler = readsRowsOf(
  GetMachineDiagram,
  streamOf,
  ['machines'],
  async (db, query: GetMachineDiagram) => {
    const machine = await oneMachine(db, query);
    return isRejection(machine) ? machine : machineDiagram(machine.definition);
  },
);

async function oneMachine(db: Rows<'machines'>, { machineName, version }: GetMachine | GetMachineDiagram) {
  return (await getMachine(db, machineName, version)) ?? unknownMachine(machineName, version);
}

/**
 * The problems that defining a machine would report. Specialists are checked only for an otherwise valid machine: which ones an
 * invalid one declares is not known. The process serves other callers in between.
 */
async function inspectMachineWhole(
  definition: unknown,
  declared: DeclaredSpecialists,
): Promise<MachineReport> {
  const inspected = inspectMachine(definition);
  const { valid, errors: own, warnings } = inspected;
  if (!valid) return { ...inspected, errors: own.map(({ kind: _, ...problem }) => problem) };
  await nextTurn();
  const machine = normalizeMachine(definition as MachineInput);
  const errors = declared.problems(machine);
  return {
    ...inspected,
    valid: errors.length === 0,
    errors,
    warnings: [...warnings, ...machineTemplateWarnings(machine), ...(await declared.warnings(machine))],
  };
}
