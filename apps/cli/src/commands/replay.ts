import { type LogReplayReport, verifyLog } from '#lib/engine/core';
import { settingsFor } from '../engine/settings-for.js';
import { withLog } from '../engine/with-log.js';
import { InvalidInput, ReplayDiverges } from '../error-classes.js';
import { paintFor } from '../format/paint.js';
import { replayLines } from '../format/replay-lines.js';
import { sessionIdOf } from '../input/named-id.js';
import { type Io, printLines } from '../io.js';
import type { ReplayOptions } from './hand-written-commands.js';
import type { EventLog } from '#lib/event-store';
import { verifyConversation } from '#lib/flows/core';
import { RejectionError } from '#lib/operations/core';
import { verifySession } from '#lib/replay';
import { sessionRejections } from '#lib/session';
import type { WorkflowRegistry } from '#lib/workflow';

export async function replay(
  session: string | undefined,
  options: ReplayOptions,
  { out }: Io,
): Promise<void> {
  const { dataDir, all, json } = options;
  if ((session === undefined) === (all === undefined)) {
    throw new InvalidInput(
      'redial replay',
      'it takes one id or --all',
      'Give the id of a session or of a conversation, or --all',
    );
  }
  const id = session === undefined ? undefined : await sessionIdOf(session, dataDir);
  let replayed = 0;
  let diverging = 0;
  const settings = settingsFor(dataDir);
  await withLog(settings, async (log) => {
    for await (const report of replayHistories(log, id, settings.workflows)) {
      replayed += 1;
      if (!report.identical) diverging += 1;
      const name = all ? nameOf(report) : '';
      const lines = json
        ? [JSON.stringify(report)]
        : replayLines(report, paintFor(out)).map((line) => line + name);
      printLines(out, lines);
    }
  });
  if (diverging > 0) throw diverges(diverging, replayed);
}

function nameOf(report: LogReplayReport): string {
  return 'sessionId' in report ? `  session ${report.sessionId}` : `  conversation ${report.conversationId}`;
}

function diverges(diverging: number, replayed: number): ReplayDiverges {
  return new ReplayDiverges(
    `${diverging} of ${replayed} replayed histories`,
    'what is recorded there is not what the rules give',
    'The lines above say where; find out who changed the log, and bring back a copy from before',
  );
}

/**
 * Replays the session or the conversation with this id, or all of the log in the order they were created.
 * @throws RejectionError when there is neither
 */
async function* replayHistories(
  log: EventLog,
  id: string | undefined,
  workflows: WorkflowRegistry,
): AsyncGenerator<LogReplayReport> {
  if (id === undefined) return yield* verifyLog(log, workflows);
  const report = (await verifySession(log, id, workflows)) ?? (await verifyConversation(log, id));
  if (!report) throw new RejectionError(sessionRejections.unknownSession(id));
  yield report;
}
