import type { LlmOutcome } from '#lib/activities';
import { bodyOf, emptyLlmMemory, evolveLlmMemory, type LlmCallEvent, type LlmMemory } from '#lib/call-rules';
import type { EventLog, Position } from '#lib/event-store';
import { canonicalText, type Event, type JsonObject } from '#lib/kernel';
import type { ActivityEvent } from '#lib/workflow';

/** The request to a model: its body, and its role in the workflow. */
export interface AskedModel {
  readonly body: JsonObject;
  /** Such as `{ rung: "tools" }`. */
  readonly role: JsonObject;
}

/** A recorded call of a model. */
export interface Exchange {
  readonly asked: AskedModel;
  readonly outcome: LlmOutcome;
}

/** Equal for equal requests. The order of members does not matter. */
export function keyOf(asked: AskedModel): string {
  return canonicalText(asked);
}

const PAGE = 256;

/** The completed calls of models in a log, in the order of their requests. A call without an outcome is left out. */
export async function recordedExchanges(log: EventLog): Promise<readonly Exchange[]> {
  const walk = new ExchangeWalk();
  let from: Position | undefined;
  for (;;) {
    const page = await log.store.readAll({ limit: PAGE, ...(from !== undefined && { from }) });
    for (const stored of page) {
      const isOfCall = stored.data.includes('"stepId"') && log.codec.knows(stored.type);
      if (isOfCall) walk.take(stored.stream, await log.decode(stored));
    }
    from = page.at(-1)?.position;
    if (page.length === 0) return walk.exchanges;
  }
}

class ExchangeWalk {
  readonly #asked: { readonly asked: AskedModel; outcome?: LlmOutcome }[] = [];
  readonly #byCall = new Map<string, { readonly asked: AskedModel; outcome?: LlmOutcome }>();
  /** Requests to models by run: a request may refer to earlier requests of its run. */
  readonly #memories = new Map<string, LlmMemory>();

  get exchanges(): readonly Exchange[] {
    return this.#asked.flatMap(({ asked, outcome }) => (outcome ? [{ asked, outcome }] : []));
  }

  take(stream: string, event: Event): void {
    const memory = evolveLlmMemory(this.#memories.get(stream) ?? emptyLlmMemory, event as ActivityEvent);
    this.#memories.set(stream, memory);
    const call = event as LlmCallEvent;
    const id = `${stream} ${call.data.stepId}`;
    switch (call.type) {
      case 'LlmCallRequested': {
        const { labels = {} } = call.data;
        const exchange = { asked: { body: bodyOf(call.data, memory), role: labels } };
        this.#asked.push(exchange);
        this.#byCall.set(id, exchange);
        return;
      }
      case 'LlmCallCompleted': {
        const { stepId: _, ...completed } = call.data;
        return this.#answer(id, { completed });
      }
      case 'LlmCallFailed': {
        const { stepId: _, ...failed } = call.data;
        return failed.failure.kind === 'interrupted' ? undefined : this.#answer(id, { failed });
      }
      default:
    }
  }

  #answer(id: string, outcome: LlmOutcome): void {
    const exchange = this.#byCall.get(id);
    if (exchange) exchange.outcome = outcome;
  }
}
