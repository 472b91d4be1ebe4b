import type { ActivityEvent } from '#lib/activity';
import { bodyOf, emptyLlmMemory, evolveLlmMemory, type LlmCallEvent } from '#lib/calls';
import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { Page } from '../paging/page.js';
import type { LlmCallRecord, LlmCallRow } from './llm-call-record.js';

type Bodies = Pick<LlmCallRecord, 'requestBody' | 'responseBody'>;

/** The calls with what was sent and what came, byte for byte, from the streams of their runs. Each stream is read once. */
export async function withBodies(
  log: EventLog,
  calls: readonly LlmCallRow[],
): Promise<readonly LlmCallRecord[]> {
  const streams = [...new Set(calls.map(({ location }) => location.stream))];
  const read = streams.map(async (stream) => [stream, bodiesIn(await log.readStream(stream))] as const);
  const known = new Map(await Promise.all(read));
  return calls.map(({ location: { stream, stepId }, ...call }) => ({
    ...call,
    ...(known.get(stream)?.get(stepId) ?? { requestBody: {}, responseBody: null }),
  }));
}

export async function pageWithBodies(log: EventLog, page: Page<LlmCallRow>): Promise<Page<LlmCallRecord>> {
  return { ...page, items: await withBodies(log, page.items) };
}

function bodiesIn(history: readonly RecordedEvent[]): ReadonlyMap<string, Bodies> {
  const bodies = new Map<string, Bodies>();
  let memory = emptyLlmMemory;
  for (const event of history as readonly RecordedEvent<ActivityEvent>[]) {
    memory = evolveLlmMemory(memory, event);
    const call = event as RecordedEvent as RecordedEvent<LlmCallEvent>;
    const { stepId } = call.data;
    if (call.type === 'LlmCallRequested') {
      bodies.set(stepId, { requestBody: bodyOf(call.data, memory), responseBody: null });
      continue;
    }
    const asked = bodies.get(stepId);
    if (asked) bodies.set(stepId, { ...asked, responseBody: replyIn(call) });
  }
  return bodies;
}

function replyIn({ type, data }: LlmCallEvent): string | null {
  if (type === 'LlmCallCompleted') return data.body.content;
  return (type === 'LlmCallFailed' && data.received?.body.content) || null;
}
