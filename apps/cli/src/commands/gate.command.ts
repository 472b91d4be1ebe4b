import type { Command } from 'commander';
import { RejectionError } from '#lib/engine';
import { unknownGate } from '#lib/gate';
import { getGate, listGates } from '#lib/projections';
import { askRows } from '../engine/ask-rows.js';
import { everyItem } from '../engine/every-item.js';
import { withCommandEngine, withEngineOnLog } from '../engine/with-command-engine.js';
import { actorTokenLines } from '../format/actor-token-lines.js';
import { gateLines, gateResultLines, gateTable } from '../format/gate-lines.js';
import { printResult } from '../format/print-result.js';
import { readJsonFile } from '../input/read-json-file.js';
import { type MetaOptions, readMeta } from '../input/read-meta.js';
import { type Io, printLines } from '../io.js';
import { needsPerson } from '../waiting/needs-person.js';
import type { GlobalOptions } from './global-options.js';

export function addGate(program: Command, io: Io): void {
  const group = program.command('gate').description('gates: one question, decided again and again');
  group
    .command('create')
    .description('create a gate, or its next version, and register the specialists it declares')
    .argument('<gate.json>')
    .action((file: string, _: unknown, command: Command) => create(file, command.optsWithGlobals(), io));
  group
    .command('invoke')
    .description('have a gate decide: everybody is asked at the same time, then the arbiter judges')
    .argument('<gateId>')
    .option('--meta <json>', 'what is to be decided about, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .action((gateId: string, _: unknown, command: Command) => invoke(gateId, command.optsWithGlobals(), io));
  group
    .command('list')
    .description('the gates there are')
    .action((_: unknown, command: Command) => list(command.optsWithGlobals(), io));
  group
    .command('show')
    .description('a gate as it is now')
    .argument('<gateId>')
    .action((gateId: string, _: unknown, command: Command) => show(gateId, command.optsWithGlobals(), io));
  group
    .command('delete')
    .description('delete a gate; what it decided stays')
    .argument('<gateId>')
    .action((gateId: string, _: unknown, command: Command) => remove(gateId, command.optsWithGlobals(), io));
}

async function create(file: string, { dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const definition = await readJsonFile(file);
  const gate = await withCommandEngine(dataDir, io.err, ({ redial }) => redial.createGate(definition));
  printResult(io, json, gate, gateLines);
  if (!json) printLines(io.err, actorTokenLines(gate.actorTokens));
}

async function invoke(gateId: string, options: GlobalOptions & MetaOptions, io: Io): Promise<void> {
  const { dataDir, json } = options;
  const metaJson = await readMeta(options);
  await withEngineOnLog(dataDir, io.err, async (engine) => {
    const result = await engine.redial.invokeGate({ gateId, ...(metaJson && { metaJson }) });
    printResult(io, json, result, gateResultLines);
    if (result.needsHuman) throw await needsPerson(engine, result.sessionId, dataDir);
  });
}

async function list({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const items = await askRows(dataDir, ['gates'], (db) => everyItem((page) => listGates(db, page)));
  printResult(io, json, { items }, () => gateTable(items));
}

async function show(gateId: string, { dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const gate = await askRows(dataDir, ['gates'], (db) => getGate(db, gateId));
  if (!gate) throw new RejectionError(unknownGate(gateId));
  printResult(io, json, gate, gateLines);
}

async function remove(gateId: string, { dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const gate = await withEngineOnLog(dataDir, io.err, ({ redial }) => redial.deleteGate(gateId));
  printResult(io, json, gate, () => [`gate ${gateId} is deleted; what it decided stays`]);
}
