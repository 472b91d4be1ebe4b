import { randomUUID } from 'node:crypto';
import type { LlmOutcome, ModelCalls, ModelRequest } from '#lib/activities';
import {
  emptyLlmMemory,
  evolveLlmMemory,
  type LlmCallInput,
  type LlmMemory,
  storedBody,
} from '#lib/call-rules';
import { type EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { ENGINE_ACTOR, engineVersion, type Event, randomIds, systemClock } from '#lib/kernel';
import type { ActivityEvent } from '#lib/workflow';
import { planHistory } from '../file/history-plan.js';
import { writeHistory } from '../file/write-history.js';
import { writeWhole } from '../file/write-whole.js';
import { CassetteNotWritten } from './cassette-errors.js';
import { failedCall } from './played-cassette.js';

/** Performs calls, and writes them into a history file, as a run that makes one call after another. */
export class RecordingCassette implements ModelCalls {
  readonly #id = randomUUID();
  readonly #log: EventLog;
  #memory: LlmMemory = emptyLlmMemory;
  #calls = 0;
  #written: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: string,
    private readonly calls: ModelCalls,
    private readonly url: string,
    codec: EventCodec,
  ) {
    this.#log = new EventLog(new InMemoryEventStore(), codec, new StreamNames());
  }

  async perform(
    request: ModelRequest,
    signal: AbortSignal,
    emit?: (text: string) => void,
  ): Promise<LlmOutcome> {
    const outcome = await this.calls.perform(request, signal, emit);
    const recorded = this.#written
      .then(() => this.#record(request, outcome))
      .then(
        () => outcome,
        // The log has the answer: the next call that can write the file writes both.
        (error: unknown) => failedCall(notWritten(this.file, error)),
      );
    this.#written = recorded;
    return recorded;
  }

  async #record({ requestBody, labels, timeoutMs }: ModelRequest, outcome: LlmOutcome): Promise<void> {
    if (this.#calls === 0)
      await this.#append({
        type: 'WorkflowStarted',
        data: { workflow: 'cassette', version: 1, input: null, facts: {} },
      });
    this.#calls += 1;
    const stepId = `call#${this.#calls}`;
    const { body, bodySha256 } = storedBody(requestBody as LlmCallInput['body'], this.#memory);
    const asked = { stepId, url: this.url, timeoutMs, ...(labels && { labels }), body, bodySha256 };
    await this.#append({ type: 'LlmCallRequested', data: asked });
    await this.#append(
      'completed' in outcome
        ? { type: 'LlmCallCompleted', data: { stepId, ...outcome.completed } }
        : { type: 'LlmCallFailed', data: { stepId, ...outcome.failed } },
    );
    await this.#write();
  }

  async #append(event: Event): Promise<void> {
    const stream = this.#log.streams.of('cassette', this.#id);
    const occurredAt = systemClock.now().toISOString();
    const metadata = { occurredAt, correlationId: this.#id, causationId: this.#id, actor: ENGINE_ACTOR };
    await this.#log.append(stream, 'any', [{ eventId: randomIds.next(), event, metadata }]);
    if (event.type !== 'WorkflowStarted')
      this.#memory = evolveLlmMemory(this.#memory, event as ActivityEvent);
  }

  async #write(): Promise<void> {
    const found = { root: { kind: 'run', id: this.#id }, stream: `cassette-${this.#id}` } as const;
    const written = { redaction: 'none', engine: engineVersion(), now: systemClock.now() } as const;
    await writeWhole(this.file, writeHistory(this.#log, await planHistory(this.#log, found), written));
  }
}

function notWritten(file: string, error: unknown): CassetteNotWritten {
  const why = `what the model answered cannot be recorded (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  return new CassetteNotWritten(`the cassette ${file}`, why, 'Name a file that this user may write');
}
