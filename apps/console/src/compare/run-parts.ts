import type { RunView } from '#lib/client';
import { type ReadReply, readReply, valueOf } from '../calls/read-call.js';
import type { TimelineEvent } from '../timeline/rounds.js';

/** The parts of an object that are compared, by their names, without ids and times. */
export type Parts = ReadonlyMap<string, unknown>;

/** The members of an event that are compared. */
export type RunEvent = Pick<TimelineEvent, 'stream' | 'data' | 'summary'>;

type Ended = Pick<RunView, 'runId' | 'input' | 'result' | 'failure'>;

/** The input of a run, its end, and the outcome of each of its steps. */
export function runParts({ runId, input, result, failure }: Ended, events: readonly RunEvent[]): Parts {
  const own = events.filter(({ stream }) => stream.endsWith(runId));
  const steps = new Map<string, RunEvent[]>();
  for (const event of own) {
    const { stepId } = event.data;
    if (stepId !== undefined) steps.set(stepId, [...(steps.get(stepId) ?? []), event]);
  }
  const outcomes = [...steps].map(([stepId, about]) => [`Step ${stepId}`, outcomeOf(about)] as const);
  const end = failure ?? result;
  return new Map<string, unknown>([
    ['Input', input],
    ...(end === undefined ? [] : [['Result', end] as const]),
    ...outcomes,
  ]);
}

/** The model and its message of an answered call; of any other step the data of its last event. */
function outcomeOf(events: readonly RunEvent[]): unknown {
  const [first, last] = [events[0], events.at(-1)];
  if (first === last) return first?.summary;
  const { stepId: _, durationMs: __, ...held } = last?.data ?? {};
  const reply = readReply(held.body?.content ?? null);
  return reply ? { model: first?.data.body?.model, ...messageOf(reply) } : held;
}

function messageOf({ message: { text, calls }, refusal }: ReadReply): object {
  return {
    ...(text !== '' && { text: valueOf(text) }),
    ...(calls.length > 0 && { calls }),
    ...(refusal !== undefined && { refusal }),
  };
}
