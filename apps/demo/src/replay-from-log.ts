import { type EngineSettings, verifyLog } from '#lib/engine/core';
import { paintFor, printLines, namedReplayLines, type Sink, withLog } from '../../cli/src/index.js';

/** Replays every session and conversation of a log, and prints the results. */
export async function replayFromLog(settings: EngineSettings, out: Sink): Promise<void> {
  await withLog(settings, async (log) => {
    for await (const report of verifyLog(log, settings.workflows))
      printLines(out, namedReplayLines(report, paintFor(out)));
  });
}
