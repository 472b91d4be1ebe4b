import type { ActivityEvent } from '#lib/activity';
import {
  bodyOf,
  emptyLlmMemory,
  evolveLlmMemory,
  type LlmCallEvent,
  type LlmMemory,
  USUAL_REQUEST_HEADERS,
} from '#lib/calls';
import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { Page } from '../store/page.js';
import type { LlmCallExchange, LlmCallRecord, LlmCallRow } from './llm-call-record.js';

/** The headers of a request before the sent ones are recorded: the key is sent too, and never shown. */
const KNOWN_HEADERS = { Authorization: '[REDACTED]' };

const UNKNOWN: LlmCallExchange = { requestUrl: '', requestHeaders: {}, requestBody: {}, responseBody: null };

/** The calls with what was sent and what came, byte for byte, from the streams of their runs. Each stream is read once. */
export async function withBodies(
  log: EventLog,
  calls: readonly LlmCallRow[],
): Promise<readonly LlmCallRecord[]> {
  const streams = new Map(calls.map(({ workflow, runId }) => [runId, log.streams.of(workflow, runId)]));
  const read = [...streams].map(
    async ([runId, stream]) => [runId, exchangesIn(await log.readStream(stream))] as const,
  );
  const known = new Map(await Promise.all(read));
  return calls.map(({ stepId, ...call }) => ({
    ...call,
    ...(known.get(call.runId)?.get(stepId) ?? UNKNOWN),
  }));
}

export async function pageWithBodies(log: EventLog, page: Page<LlmCallRow>): Promise<Page<LlmCallRecord>> {
  return { ...page, items: await withBodies(log, page.items) };
}

function exchangesIn(history: readonly RecordedEvent[]): ReadonlyMap<string, LlmCallExchange> {
  const exchanges = new Map<string, LlmCallExchange>();
  let memory = emptyLlmMemory;
  for (const event of history as readonly RecordedEvent<ActivityEvent>[]) {
    memory = evolveLlmMemory(memory, event);
    const call = event as RecordedEvent as RecordedEvent<LlmCallEvent>;
    const before = exchanges.get(call.data.stepId) ?? UNKNOWN;
    const exchange = exchangeAfter(before, call, memory);
    if (exchange) exchanges.set(call.data.stepId, exchange);
  }
  return exchanges;
}

function exchangeAfter(
  before: LlmCallExchange,
  { type, data }: LlmCallEvent,
  memory: LlmMemory,
): LlmCallExchange | undefined {
  switch (type) {
    case 'LlmCallRequested':
      return {
        ...before,
        requestUrl: data.url,
        requestHeaders: KNOWN_HEADERS,
        requestBody: bodyOf(data, memory),
      };
    case 'LlmCallCompleted':
      return {
        ...before,
        requestHeaders: data.requestHeaders ?? USUAL_REQUEST_HEADERS,
        responseBody: data.body.content,
      };
    case 'LlmCallFailed':
      return {
        ...before,
        requestHeaders: data.requestHeaders ?? KNOWN_HEADERS,
        responseBody: data.received?.body.content || null,
      };
    default:
      return undefined;
  }
}
