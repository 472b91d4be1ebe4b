import { Command } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import { machineDecider, machineVersion, unknownMachine } from '#lib/decisions/machines';
import {
  answeredBy,
  CommandWriter,
  currentContext,
  input,
  is,
  IsListOf,
  markCreated,
  Operation,
  refuse,
  view,
} from '#lib/operations';
import { exemplarImportDecider } from '#lib/decisions/session';
import { specialistDecider, specialistStreamId, specialistVersion } from '#lib/decisions/specialists';
import { PastDecision } from './past-decision.views.js';
import { type KnownVersions, readExemplars, readPastDecisions } from './read-exemplars.js';

export class ImportedExemplars extends view({ imported: is.whole() }) {}

@Operation({
  summary:
    'Import decisions that people took elsewhere: examples, and comparisons for the alignment of proposers',
  http: 'POST /v1/machines/:machineName/exemplars',
  mcp: false,
  access: 'operator',
  answers: { 201: ImportedExemplars },
})
export class ImportExemplars extends input(Command<ImportedExemplars>, {
  machineName: is.nameOf(unknownMachine),
  exemplars: is
    .form<readonly PastDecision[]>(ArrayMinSize(1), ArrayMaxSize(500), IsListOf(PastDecision))
    .about('At most 500 decisions. All of them are imported, or none'),
}) {}

export const ImportExemplarsHandler = answeredBy(
  ImportExemplars,
  [CommandWriter],
  async ({ machineName, exemplars: given }, writer) => {
    const context = currentContext();
    const target = { category: 'exemplars', id: context.commandId } as const;
    await writer.checkKey(target, context);
    const state = await writer.state(machineDecider, { category: 'machine', id: machineName });
    const { definition } = machineVersion(state) ?? refuse(unknownMachine(machineName));
    const decisions = readPastDecisions(given);
    const versions = await versionsOf(writer, machineName, decisions);
    const exemplars = readExemplars(definition, decisions, {
      versions,
      commandId: context.commandId,
      now: writer.now(),
    });
    const command = { type: 'ImportExemplars', data: { exemplars } } as const;
    await writer.send(exemplarImportDecider, target, command, context);
    markCreated();
    return { imported: exemplars.length };
  },
);

/** The versions of the named proposers that are registered and not human. */
async function versionsOf(
  writer: CommandWriter,
  machineName: string,
  decisions: readonly PastDecision[],
): Promise<KnownVersions> {
  const named = decisions.flatMap(({ proposals = [] }) => proposals.map(({ specialistId }) => specialistId));
  const versions = new Map<string, { readonly current: number; readonly last: number }>();
  for (const specialistId of new Set(named)) {
    const id = specialistStreamId({ machineName, specialistId });
    const state = await writer.state(specialistDecider, { category: 'specialist', id });
    const current = specialistVersion(state);
    if (!state || current?.role !== 'proposer' || current.isHuman) continue;
    versions.set(specialistId, { current: state.current, last: state.versions.length });
  }
  return versions;
}
