import type { StoredEvent, StreamHistory, StreamNames } from '#lib/event-store';
import type { Clock, Command, Decider, Event } from '#lib/kernel';
import type { CommandWriter } from '#lib/operations/core';
import type { AskedRun, NamedRuns, RunRequests, Wanted } from '#lib/workflow';
import { type AskedRuns, StreamOwner } from './stream-owner.js';

/** Runs for whose ends no caller waits, and that their streams withdraw. */
export interface WithdrawnRuns<State, C extends Command, E extends Event> extends AskedRuns<State, C, E> {
  readonly decider: Decider<State, C, E>;
  readonly requests: RunRequests & Required<Pick<RunRequests, 'withdrawnBy'>>;
  /** Members of which every event that asks for runs or withdraws them has one: no other event is parsed. */
  readonly members: readonly string[];
}

const NONE: NamedRuns = { asked: [], withdrawn: [] };

/** The streams of a decider as owners of runs that they withdraw. A run that was withdrawn before it began is not begun. */
export class WithdrawingOwner<State, C extends Command, E extends Event> extends StreamOwner<State, C, E> {
  readonly #members: readonly string[];

  constructor(
    protected override readonly runs: WithdrawnRuns<State, C, E>,
    writer: CommandWriter,
    clock: Clock,
    private readonly streams: StreamNames,
  ) {
    super(runs, writer, clock);
    this.#members = runs.members.map((name) => `"${name}":`);
  }

  override find(asked: AskedRun, history: StreamHistory): Wanted | undefined {
    return this.isWithdrawn(asked, history) ? { delivered: [] } : super.find(asked, history);
  }

  isWithdrawn({ runId }: AskedRun, { events }: StreamHistory): boolean {
    const { withdrawnBy } = this.runs.requests;
    return events.some((event) => withdrawnBy(event).includes(runId));
  }

  namedIn({ stream, type, data }: StoredEvent): NamedRuns {
    const { category, workflow, askedBy, withdrawnBy } = this.runs.requests;
    const isOther = this.streams.parse(stream)?.category !== category;
    if (isOther || !this.#members.some((member) => data.includes(member))) return NONE;
    const event: Event = { type, data: JSON.parse(data) as object };
    const asked = askedBy(event);
    const named = (runId: string): AskedRun => ({ workflow, runId, stream });
    return { asked: asked === undefined ? [] : [named(asked)], withdrawn: withdrawnBy(event).map(named) };
  }
}
