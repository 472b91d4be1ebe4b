import type { RecordedEventView } from '#lib/client';

/** The members of events that order a timeline. They are optional: an event with any members is shown. */
interface EventData {
  readonly roundId?: string;
  readonly solicitationId?: string;
  readonly arbitrationId?: string;
  readonly turnId?: string;
  readonly runId?: string;
  readonly workflow?: string;
  readonly arbiter?: { readonly specialistId: string };
  readonly specialistId?: string;
  readonly transitionName?: string;
  readonly fromState?: string;
  readonly toState?: string;
  readonly decidedBy?: string;
  readonly isHuman?: boolean;
  readonly reasoning?: string;
  readonly durationMs?: number;
  readonly stepId?: string;
  /** Of a request to a model, and of its reply. */
  readonly body?: { readonly model?: string; readonly content?: string };
}

export interface TimelineEvent extends Omit<RecordedEventView, 'data'> {
  readonly data: EventData;
}

/** A choice that was proposed or made in a round. */
export interface Choice {
  readonly by: string;
  readonly isHuman: boolean;
  readonly transitionName: string;
  readonly reasoning?: string;
}

/** An event with its place in the round. */
export interface Entry {
  readonly event: TimelineEvent;
  /** The specialist who was asked, for an event of a run for the session. */
  readonly asked?: string;
  /** The steps down the ladder that its run has taken. */
  readonly rung: number;
  /** Whether the event is of a run. */
  readonly isOfRun: boolean;
}

/** The events about one decision, in log order; of a run all its events, of a conversation those of a turn. */
export interface Round {
  readonly id: string;
  readonly number: number;
  readonly entries: readonly Entry[];
  readonly proposals: readonly Choice[];
  readonly decision?: Choice & { readonly fromState: string; readonly toState: string };
  /** The session was closed in it: it has no decision. */
  readonly isClosed: boolean;
}

/** The specialist and the round of a run, known from the event that asked for it. */
interface Ask {
  readonly roundId: string;
  readonly asked?: string;
}

const ID_LENGTH = 36;

/** The rounds with events, oldest first; late events are in the round that they are about. */
export function roundsOf(events: readonly TimelineEvent[]): readonly Round[] {
  const asks = new Map<string, Ask>();
  const rungs = new Map<string, number>();
  const rounds = new Map<string, Entry[]>();
  for (const event of events) {
    const ask = asks.get(event.stream.slice(-ID_LENGTH));
    const roundId = event.data.roundId ?? ask?.roundId ?? event.data.turnId ?? '';
    noteAsk(asks, event, roundId, ask);
    const rung = rungs.get(event.stream) ?? 0;
    if (event.type === 'FallbackTaken') rungs.set(event.stream, rung + 1);
    const entry = { event, rung, isOfRun: ask !== undefined, ...(ask?.asked && { asked: ask.asked }) };
    const round = rounds.get(roundId);
    if (round) round.push(entry);
    else rounds.set(roundId, [entry]);
  }
  // Events before the first turn of a conversation are of no turn.
  const unnumbered = rounds.has('') && rounds.size > 1 ? 0 : 1;
  return [...rounds].map(([id, entries], index) => roundOf(id, index + unnumbered, entries));
}

function noteAsk(asks: Map<string, Ask>, { data, type }: TimelineEvent, roundId: string, by?: Ask): void {
  const begun =
    type === 'ChildStarted' ? data.runId : (data.solicitationId ?? data.arbitrationId ?? data.turnId);
  if (begun === undefined || asks.has(begun)) return;
  const asked = by?.asked ?? data.specialistId ?? data.arbiter?.specialistId;
  asks.set(begun, { roundId, ...(asked !== undefined && { asked }) });
}

function roundOf(id: string, number: number, entries: readonly Entry[]): Round {
  const own = entries.map(({ event }) => event);
  const executed = own.find(({ type }) => type === 'TransitionExecuted')?.data;
  const proposals = own.filter(({ type }) => type === 'ProposalSubmitted').map(({ data }) => choiceOf(data));
  const isClosed = own.some(({ type }) => type === 'SessionClosed');
  const round = { id, number, entries, proposals, isClosed };
  if (!executed) return round;
  const { decidedBy = 'operator', fromState = '', toState = '' } = executed;
  const decision = { ...choiceOf({ ...executed, specialistId: decidedBy }), fromState, toState };
  return { ...round, decision };
}

function choiceOf({ specialistId = '', isHuman = false, transitionName = '', reasoning }: EventData): Choice {
  return { by: specialistId, isHuman, transitionName, ...(reasoning && { reasoning }) };
}
