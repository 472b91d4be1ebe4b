import type { RunDelta } from '#lib/runs/runs/core';
import type { JsonObject } from '#lib/kernel';
import { type Paint, paintFor, printLines, type Sink } from '../io.js';
import { Progress } from './progress.js';
import { Asks, type TimelineEvent } from './session-timeline.js';
import { timelineLine } from './timeline-line.js';

/** Prints the events of one session, one a line; on a terminal it also shows that a reply is awaited. */
export class TimelinePrinter {
  readonly #paint: Paint;
  readonly #progress: Progress;
  readonly #asks = new Asks();
  #begunAt: number | undefined;

  constructor(private readonly out: Sink) {
    this.#paint = paintFor(out);
    this.#progress = new Progress(out, this.#paint);
  }

  print(event: TimelineEvent): void {
    const at = Date.parse(event.occurredAt);
    this.#begunAt ??= at;
    this.#progress.clear();
    this.#asks.note(event);
    const asked = this.#asks.of(event)?.specialistId;
    printLines(this.out, [timelineLine(event, at - this.#begunAt, this.#paint, asked)]);
    const waitingFor = whoIsAsked(event);
    if (waitingFor !== undefined) this.#progress.show(waitingFor);
  }

  /** A part of a reply while it comes. */
  hear(delta: RunDelta): void {
    this.#progress.hear(delta);
  }

  /** No more events come. */
  end(): void {
    this.#progress.clear();
  }
}

function whoIsAsked({ type, data }: TimelineEvent): string | undefined {
  if (type === 'LlmCallRequested') return modelOf(data.body);
  if (type === 'WebhookCallRequested') return data.url;
  return type === 'FunctionCallRequested' ? data.fnName : undefined;
}

function modelOf({ model }: JsonObject): string {
  return typeof model === 'string' ? model : 'the model';
}
