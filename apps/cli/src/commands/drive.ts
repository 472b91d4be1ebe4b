import { withEngineOnLog } from '../engine/with-command-engine.js';
import { sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import { showDriving } from '../running/show-driving.js';
import type { DriveOptions } from './hand-written-commands.js';

export async function drive(session: string, { maxTicks, ...shown }: DriveOptions, io: Io): Promise<void> {
  const sessionId = await sessionIdOf(session, shown.dataDir);
  await withEngineOnLog(shown.dataDir, io.err, async (engine) => {
    const { redial, log } = engine;
    const after = await log.store.head();
    await redial.getSession({ sessionId });
    const run = () => redial.runSession({ sessionId, maxTicks });
    const limit = { steps: maxTicks, option: '--max-ticks' };
    await showDriving(engine, { ...shown, sessionId, after, run, limit }, io);
  });
}
