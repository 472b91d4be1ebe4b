import type { Command } from 'commander';
import type { TickResult } from '#lib/engine';
import { withEngineOnLog } from '../engine/with-command-engine.js';
import { printResult } from '../format/print-result.js';
import { tickLines } from '../format/tick-lines.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import { needsPerson } from '../waiting/needs-person.js';
import type { GlobalOptions } from './global-options.js';

export function addTick(program: Command, io: Io): void {
  program
    .command('tick')
    .description(
      'take one step: ask a proposer, have the round decided, or find that a person is needed; in every session, or in one',
    )
    .argument('[session]', ID_HELP)
    .action(async (session: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await (session === undefined
        ? tickAll(options, io)
        : tickOne(await sessionIdOf(session, options.dataDir), options, io));
    });
}

async function tickOne(sessionId: string, { dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  await withEngineOnLog(dataDir, io.err, async (engine) => {
    const result = await engine.redial.tickSession(sessionId);
    const atRest = `session ${sessionId} is at rest`;
    printResult(io, json, result, (one, paint) => (one ? tickLines([one], paint) : [atRest]));
    if (result?.status === 'needs_human') throw await needsPerson(engine.redial.getInbox, sessionId, dataDir);
  });
}

/** People may be needed all the time: that is for the inbox to say, not a failure of the step. */
async function tickAll({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const items = await withEngineOnLog(dataDir, io.err, ({ redial }) => redial.tick());
  printResult(io, json, { items }, (all: { readonly items: readonly TickResult[] }, paint) =>
    all.items.length === 0 ? ['every session is at rest'] : tickLines(all.items, paint),
  );
}
