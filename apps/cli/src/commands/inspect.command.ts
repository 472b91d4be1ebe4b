import type { Command } from 'commander';
import { settingsFor } from '../engine/settings-for.js';
import { withReadModels } from '../engine/with-read-models.js';
import { inspectionLines } from '../format/inspection-lines.js';
import { paintFor } from '../format/paint.js';
import { inspectSession } from '../inspecting/inspect-session.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import { type Io, printLines } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addInspect(program: Command, io: Io): void {
  program
    .command('inspect')
    .description(
      'show a session: where it stands, its history, proposals, calls to models, and what happened',
    )
    .argument('<session>', ID_HELP)
    .option('--all', 'every event of every round; without it decided rounds but the newest are a line each')
    .action(async (session: string, _options: unknown, command: Command) => {
      const {
        dataDir,
        json,
        all = false,
      } = command.optsWithGlobals<GlobalOptions & { readonly all?: true }>();
      const sessionId = await sessionIdOf(session, dataDir);
      const inspection = await withReadModels(settingsFor(dataDir), (models) =>
        inspectSession(models, sessionId),
      );
      if (json) io.out.write(`${JSON.stringify(inspection)}\n`);
      else printLines(io.out, inspectionLines(inspection, all, paintFor(io.out)));
    });
}
