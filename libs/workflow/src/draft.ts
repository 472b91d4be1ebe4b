import type { Clock, Event, IdSource, RecordedEvent } from '#lib/kernel';
import type { CallRequest } from './derive.rules.js';
import { draftEvent } from './draft-event.js';
import { mayRecord } from './run.decider.js';
import { evolveRun, type Run } from './run.rules.js';
import { settle } from './settle.rules.js';

/** Events that are about to be appended after a run's last one, all or none, and the run as it would be then. */
export class Draft {
  readonly events: RecordedEvent[] = [];

  constructor(
    private current: Run,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  get run(): Run {
    return this.current;
  }

  /** An event from outside. False, and not taken, where it answers nothing that is open. */
  take(event: Event, eventId = this.ids.next()): boolean {
    const drafted = this.#draft(event, eventId, this.current);
    if (!mayRecord(this.current.steps, drafted, this.current.activities)) return false;
    this.events.push(drafted);
    this.current = evolveRun(this.current, drafted);
    return true;
  }

  /** All that is derived until the run waits. @throws WorkflowBug */
  settle(admits: (request: CallRequest) => boolean): void {
    const record = (event: Event, run: Run) => this.#draft(event, this.ids.next(), run);
    const { run, events } = settle(this.current, record, admits);
    this.events.push(...events);
    this.current = run;
  }

  #draft(event: Event, eventId: string, { start, steps }: Run): RecordedEvent {
    const causationId = this.events.at(-1)?.eventId ?? start.eventId;
    const occurredAt = this.clock.now().toISOString();
    const { correlationId } = start.metadata;
    const metadata = { occurredAt, correlationId, causationId, actor: 'redial' };
    return draftEvent(event, { eventId, stream: start.stream, revision: steps.revision + 1, metadata });
  }
}
