import type { Command } from 'commander';
import { withEngineOnLog } from '../engine/with-command-engine.js';
import { positive } from '../input/positive.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import { showDriving } from '../running/show-driving.js';
import type { GlobalOptions } from './global-options.js';

interface DriveOptions extends GlobalOptions {
  readonly maxTicks: number;
}

export function addDrive(program: Command, io: Io): void {
  program
    .command('drive')
    .description('go on with a session until it is at rest or needs a person')
    .argument('<session>', ID_HELP)
    .option('--max-ticks <n>', 'steps at most; see tick', positive, 1000)
    .action(async (session: string, _options: unknown, command: Command) => {
      const { maxTicks, ...shown } = command.optsWithGlobals<DriveOptions>();
      const sessionId = await sessionIdOf(session, shown.dataDir);
      await withEngineOnLog(shown.dataDir, io.err, async (engine) => {
        const { redial, log } = engine;
        const after = await log.store.head();
        await redial.getSession({ sessionId });
        const run = () => redial.runSession({ sessionId, maxTicks });
        await showDriving(
          engine,
          { ...shown, sessionId, after, run, limit: { steps: maxTicks, option: '--max-ticks' } },
          io,
        );
      });
    });
}
