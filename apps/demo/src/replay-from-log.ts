import type { EngineSettings } from '#lib/engine';
import { verifyAll } from '#lib/replay';
import { paintFor, printLines, replayLines, type Sink, withLog } from '../../cli/src/index.js';

/** Replays every session of a log and prints what came of it, each with the number of its scenario. */
export async function replayFromLog(settings: EngineSettings, out: Sink): Promise<void> {
  await withLog(settings, async (log) => {
    for await (const report of verifyAll(log, settings.workflows))
      printLines(out, replayLines(report, paintFor(out)));
  });
}
