import type { StoredEvent, StreamHistory, StreamNames } from '#lib/event-store';
import type { Clock, Command, Decider, Event, EventMetadata } from '#lib/kernel';
import type { CommandWriter } from '#lib/operations/core';
import type { AskedRun, NamedRuns, RunRequests, Wanted } from '#lib/workflow';
import { type AskedRuns, StreamOwner } from './stream-owner.js';

/** Runs that their streams withdraw. */
export interface WithdrawnRuns<State, C extends Command, E extends Event> extends AskedRuns<State, C, E> {
  readonly decider: Decider<State, C, E>;
  readonly requests: RunRequests & Required<Pick<RunRequests, 'withdrawnBy'>>;
  /** The reason that the cancellation of a run records. */
  readonly withdrawalReason?: string;
  /** True if no caller begins the runs: then they begin when an event that asks for one is noticed. */
  readonly isUnattended: boolean;
  /** Every event that withdraws runs, or asks for unattended ones, has one of these members. No other event is parsed. */
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

  get withdrawalReason(): string | undefined {
    return this.runs.withdrawalReason;
  }

  override find(asked: AskedRun, history: StreamHistory): Wanted | undefined {
    const found = super.find(asked, history);
    return found && 'request' in found && this.isWithdrawn(asked, history) ? { delivered: [] } : found;
  }

  /** Whether the run was withdrawn after it was asked for. */
  isWithdrawn({ runId }: AskedRun, { events }: StreamHistory): boolean {
    const { askedBy, withdrawnBy } = this.runs.requests;
    const isOfRun = (event: Event) => askedBy(event) === runId || withdrawnBy(event).includes(runId);
    const last = events.findLast(isOfRun);
    return last !== undefined && withdrawnBy(last).includes(runId);
  }

  namedIn({ stream, type, data, metadata }: StoredEvent): NamedRuns {
    const { category, workflow, askedBy, withdrawnBy } = this.runs.requests;
    const isOther = this.streams.parse(stream)?.category !== category;
    if (isOther || !this.#members.some((member) => data.includes(member)) || isCopied(metadata)) return NONE;
    const event: Event = { type, data: JSON.parse(data) as object };
    const asked = this.runs.isUnattended ? askedBy(event) : undefined;
    const named = (runId: string): AskedRun => ({ workflow, runId, stream });
    return { asked: asked === undefined ? [] : [named(asked)], withdrawn: withdrawnBy(event).map(named) };
  }
}

/** The text alone is no proof, because the metadata holds the caller's command. Most events do not have the text. */
function isCopied(metadata: string): boolean {
  return metadata.includes('"copied":true') && (JSON.parse(metadata) as EventMetadata).copied === true;
}
