import { setImmediate } from 'node:timers/promises';
import {
  referred,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
} from '#lib/call-rules';
import { type EventLog, StreamHistory } from '#lib/event-store';
import type { Json, JsonObject, RecordedEvent } from '#lib/kernel';
import type { WebhookCallRow } from '#lib/read-models';
import { contextOf, givenOf, usedStream, type WorkflowRegistry, type WorkflowStarted } from '#lib/workflow';
import type { WebhookCall } from './calls.views.js';

type Bodies = Pick<WebhookCall, 'requestBody' | 'responseBody'>;
type Read = (stream: string) => Promise<readonly RecordedEvent[]>;

/** Calls of webhooks with their requests and replies, from the streams of their runs and the streams that these refer to. */
export class WebhookCallBodies {
  constructor(
    private readonly log: EventLog,
    private readonly workflows: WorkflowRegistry,
  ) {}

  /** The calls in order, each read when it is taken. @param log up to the position to read */
  async *of(calls: readonly WebhookCallRow[], log = this.log): AsyncGenerator<WebhookCall> {
    const read = readingOnce(log);
    for (const { stream, stepId, ...call } of calls) {
      yield { ...call, ...(await this.#bodies({ stream, stepId }, read)) };
      // Each call may fold a long stream, so other requests get their turn in between.
      await setImmediate();
    }
  }

  async #bodies({ stream, stepId }: Pick<WebhookCallRow, 'stream' | 'stepId'>, read: Read): Promise<Bodies> {
    const history = await read(stream);
    const [request, answer] = history.filter(({ data }) => 'stepId' in data && data.stepId === stepId);
    const start = history[0] as RecordedEvent<WorkflowStarted>;
    const given = givenOf({ start, context: await this.#context(start.data, read) });
    const { data } = request as RecordedEvent<WebhookCallRequested>;
    const requestBody = referred(data, 'requestBody', given) as JsonObject;
    return { requestBody, responseBody: answer ? replyIn(answer) : null };
  }

  async #context(start: WorkflowStarted['data'], read: Read): Promise<Json> {
    const rules = this.workflows.rulesOf(start);
    const used = usedStream(start);
    if (!rules || !used) return null;
    const events = await read(this.log.streams.withPrefix(used.stream));
    return contextOf(rules, new StreamHistory(events).upTo(used.revision));
  }
}

/** The streams of a run and of the session that it refers to. */
const STREAMS_KEPT = 2;

/** Keeps the last streams, because neighbouring calls are mostly of one run. */
function readingOnce(log: EventLog): Read {
  const known = new Map<string, ReturnType<Read>>();
  return (stream) => {
    const events = known.get(stream) ?? log.readStream(stream);
    known.delete(stream);
    known.set(stream, events);
    const [oldest = ''] = known.keys();
    if (known.size > STREAMS_KEPT) known.delete(oldest);
    return events;
  };
}

function replyIn(answer: RecordedEvent): string | null {
  const { type, data } = answer as RecordedEvent<WebhookCallCompleted | WebhookCallFailed>;
  if (type === 'WebhookCallCompleted') return data.body.content;
  return data.received?.body.content ?? null;
}
