import { type Command, Option } from 'commander';
import type { RegisteredSpecialist } from '#lib/engine';
import { listSpecialists, listSpecialistVersions, type SpecialistRecord } from '#lib/projections';
import { askRows } from '../engine/ask-rows.js';
import { everyItem } from '../engine/every-item.js';
import { withCommandEngine, withEngineOnLog } from '../engine/with-command-engine.js';
import { actorTokenLines } from '../format/actor-token-lines.js';
import { printResult } from '../format/print-result.js';
import { specialistLines, specialistVersionLines } from '../format/specialist-lines.js';

import { type RegistrationOptions, registrationOf } from '../input/registration-of.js';
import { threshold } from '../input/threshold.js';
import { type Io, printLines } from '../io.js';
import type { GlobalOptions } from './global-options.js';

interface OfMachineOptions extends GlobalOptions {
  readonly machine?: string;
}

type RegisterOptions = GlobalOptions & RegistrationOptions;

export function addSpecialists(program: Command, io: Io): void {
  const group = program.command('specialists').description('who proposes, and who judges');
  group
    .command('list')
    .description('everybody, by id')
    .option('--machine <name>', 'of this machine alone')
    .action((_: unknown, command: Command) => list(command.optsWithGlobals(), io));
  group
    .command('versions')
    .description('every version of a specialist, the oldest first')
    .argument('<specialistId>')
    .option('--machine <name>', 'its machine, where several have one of this id')
    .action((id: string, _: unknown, command: Command) => versions(id, command.optsWithGlobals(), io));
  addRegister(group, io);
  for (const enabled of [true, false]) {
    group
      .command(enabled ? 'enable' : 'disable')
      .description(enabled ? 'let a specialist take part again' : 'leave a specialist out from now on')
      .argument('<specialistId>')
      .option('--machine <name>', 'its machine, where several have one of this id')
      .action((id: string, _: unknown, command: Command) =>
        setEnabled(id, enabled, command.optsWithGlobals(), io),
      );
  }
}

function addRegister(group: Command, io: Io): void {
  group
    .command('register')
    .description(
      'register a proposer or an arbiter, or its next version; one of the options says how it decides',
    )
    .argument('<specialistId>')
    .requiredOption('--machine <name>', 'the machine, or the gate, it takes part in')
    .addOption(new Option('--role <role>').choices(['proposer', 'arbiter']).default('proposer'))
    .option('--human', 'a person: their token is printed, once')
    .option('--model <id>', 'a model, such as gpt-4o-mini')
    .option('--template <text>', 'for a model: its context, a Mustache template')
    .option('--strategy <name>', 'a built-in strategy')
    .option('--strategy-webhook <url>', 'a webhook that chooses, or judges')
    .option('--context-webhook <url>', 'for a model: a webhook that gives its context')
    .option('--webhook-token-name <variable>', "the environment variable that holds the webhook's token")
    .option('--threshold <n>', 'for an arbiter: the margin it asks for', threshold)
    .option('--disabled', 'a new version is not asked until it is enabled')
    .option('--keep-alignment', 'a new version starts with the alignment of the current one')
    .action((id: string, _: unknown, command: Command) => register(id, command.optsWithGlobals(), io));
}

async function list({ dataDir, json, machine }: OfMachineOptions, io: Io): Promise<void> {
  const filter = machine === undefined ? {} : { machineName: machine };
  const items = await askRows(dataDir, ['specialists'], (db) =>
    everyItem((page) => listSpecialists(db, filter, page)),
  );
  printResult(io, json, { items }, () => specialistLines(items));
}

async function versions(
  specialistId: string,
  { dataDir, json, machine }: OfMachineOptions,
  io: Io,
): Promise<void> {
  const name = { specialistId, ...machineOption(machine) };
  const items = await askRows(dataDir, ['specialists'], (db) =>
    everyItem((page) => listSpecialistVersions(db, name, page)),
  );
  printResult(io, json, { items }, () => specialistVersionLines(items));
}

async function register(specialistId: string, options: RegisterOptions, io: Io): Promise<void> {
  const { dataDir, json, role } = options;
  const registration = registrationOf(specialistId, options);
  const registered: RegisteredSpecialist = await withCommandEngine(dataDir, io.err, ({ redial }) =>
    role === 'arbiter' ? redial.registerArbiter(registration) : redial.registerProposer(registration),
  );
  const { actorToken } = registered;
  printResult(io, json, registered, (one) => specialistLines([one]));
  if (!json && actorToken !== undefined) printLines(io.err, actorTokenLines({ [specialistId]: actorToken }));
}

async function setEnabled(
  specialistId: string,
  enabled: boolean,
  { dataDir, json, machine }: OfMachineOptions,
  io: Io,
): Promise<void> {
  const of = machineOption(machine);
  const specialist: SpecialistRecord = await withEngineOnLog(dataDir, io.err, ({ redial }) =>
    enabled ? redial.enableSpecialist(specialistId, of) : redial.disableSpecialist(specialistId, of),
  );
  printResult(io, json, specialist, (one) => specialistLines([one]));
}

function machineOption(machineName: string | undefined): { readonly machineName?: string } {
  return machineName === undefined ? {} : { machineName };
}
