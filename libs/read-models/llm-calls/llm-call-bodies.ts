import type { ActivityEvent } from '#lib/workflow';
import {
  bodyOf,
  emptyLlmMemory,
  evolveLlmMemory,
  type LlmCallEvent,
  type LlmMemory,
  USUAL_REQUEST_HEADERS,
} from '#lib/call-rules';
import { cannotBeRead, type EventLog } from '#lib/event-store';
import { jsonText, type RecordedEvent } from '#lib/kernel';
import { MOST_PAGE_BYTES } from '../store/page.js';
import { type LlmCallExchange, type LlmCallRecord, type LlmCallRow, withoutStep } from './llm-call-record.js';

/** The headers of a request until the sent ones are recorded: the key is sent too, and never shown. */
const KNOWN_HEADERS = { Authorization: '[REDACTED]' };

const UNKNOWN: LlmCallExchange = { requestUrl: '', requestHeaders: {}, requestBody: {}, responseBody: null };

/**
 * The calls with their request and response bodies, byte for byte, in order. The streams of their runs are read as items are
 * taken: memory holds the bodies of later calls up to the size of a page.
 */
export async function* withBodies(
  log: EventLog,
  calls: readonly LlmCallRow[],
): AsyncGenerator<LlmCallRecord> {
  const kept = new KeptExchanges();
  for (const [place, call] of calls.entries()) {
    if (!kept.has(place)) await readRun(log, calls, place, kept);
    yield { ...withoutStep(call), ...(kept.take(place) ?? UNKNOWN) };
  }
}

/** As `withBodies`, in a list: an unreadable call has no bodies, and hides no other. */
export async function* withReadableBodies(
  log: EventLog,
  calls: readonly LlmCallRow[],
): AsyncGenerator<LlmCallRecord | ReturnType<typeof withoutStep>> {
  for (let from = 0; from < calls.length; from += 1)
    try {
      for await (const call of withBodies(log, calls.slice(from))) {
        yield call;
        from += 1;
      }
    } catch (error) {
      if (!cannotBeRead(error)) throw error;
      yield withoutStep(calls[from] as LlmCallRow);
    }
}

/** Reads the exchanges of this call's run: of this call, and of later calls in the list. */
async function readRun(
  log: EventLog,
  calls: readonly LlmCallRow[],
  place: number,
  kept: KeptExchanges,
): Promise<void> {
  const { workflow, runId } = calls[place] as LlmCallRow;
  const places = new Map(
    calls.flatMap((call, at) => (at >= place && call.runId === runId ? [[call.stepId, at] as const] : [])),
  );
  let memory = emptyLlmMemory;
  for await (const event of log.each<ActivityEvent>(log.streams.of(workflow, runId))) {
    memory = evolveLlmMemory(memory, event);
    const call = event as RecordedEvent as RecordedEvent<LlmCallEvent>;
    const at = places.get(call.data.stepId);
    if (at === undefined) continue;
    const exchange = exchangeAfter(kept.at(at), call, memory);
    if (!exchange) continue;
    for (const dropped of kept.keep(at, exchange)) places.delete((calls[dropped] as LlmCallRow).stepId);
    if (call.type !== 'LlmCallRequested') places.delete(call.data.stepId);
    if (places.size === 0) return;
  }
}

/** Exchanges by their places in a list: the first ones up to the size of a page, and at least one. */
class KeptExchanges {
  readonly #byPlace = new Map<number, { readonly exchange: LlmCallExchange; readonly bytes: number }>();
  #bytes = 0;

  has(place: number): boolean {
    return this.#byPlace.has(place);
  }

  at(place: number): LlmCallExchange {
    return this.#byPlace.get(place)?.exchange ?? UNKNOWN;
  }

  take(place: number): LlmCallExchange | undefined {
    const exchange = this.#byPlace.get(place)?.exchange;
    this.#drop(place);
    return exchange;
  }

  /** @returns the places dropped to make room, the last of the list */
  keep(place: number, exchange: LlmCallExchange): readonly number[] {
    this.#drop(place);
    const bytes = jsonText(exchange.requestBody).length + (exchange.responseBody?.length ?? 0);
    this.#byPlace.set(place, { exchange, bytes });
    this.#bytes += bytes;
    const dropped: number[] = [];
    while (this.#bytes > MOST_PAGE_BYTES && this.#byPlace.size > 1) {
      const last = Math.max(...this.#byPlace.keys());
      this.#drop(last);
      dropped.push(last);
    }
    return dropped;
  }

  #drop(place: number): void {
    this.#bytes -= this.#byPlace.get(place)?.bytes ?? 0;
    this.#byPlace.delete(place);
  }
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
