import { evaluationDecider, type EvaluationEvent } from '#lib/evaluation';
import type { EventLog } from '#lib/event-store';
import { fold } from '#lib/kernel';
import { readableHistory } from './readable-history.js';
import { type EvaluationReplayReport, replayTotals, type Verification } from './replay-report.js';
import { verifyDecisions } from './verify-decisions.js';
import { verifySample } from './verify-sample.js';

/**
 * Verifies an evaluation whole: its own stream by deciding every command again, each of its solicitations by asking the workflow
 * again, that their contexts and what their samples say was decided follow from the sessions' streams, and that what they ended
 * with is what was judged. Whether those sessions verify is for `verifySession`. Nothing is written.
 * @returns `undefined` when there is no such evaluation
 */
export async function verifyEvaluation(
  log: EventLog,
  evaluationId: string,
): Promise<EvaluationReplayReport | undefined> {
  const stream = log.streams.of('evaluation', evaluationId);
  const { events, damage } = await readableHistory<EvaluationEvent>(log, stream);
  if (events.length === 0 && !damage) return undefined;
  const own = verifyDecisions(evaluationDecider, events);
  const divergence = own.divergence ?? damage;
  const open = !divergence && fold(evaluationDecider, events)?.result === undefined;
  const parts: Verification[] = [{ derived: own.derived, given: 0, open, divergence }];
  const [started] = events;
  // Samples cannot be verified against a start event that is wrong itself.
  for (const event of own.divergence ? [] : events) {
    if (started?.type !== 'EvaluationStarted' || event.type !== 'SampleSolicited') continue;
    parts.push(await verifySample(log, started, event, events));
  }
  return { evaluationId, ...replayTotals(parts) };
}
