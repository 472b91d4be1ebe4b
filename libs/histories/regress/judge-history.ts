import type { SessionCreated } from '#lib/decisions/session';
import { type EventCodec, StreamHistory } from '#lib/event-store';
import { turn, turnRequests } from '#lib/flows/core';
import { type Event, type RecordedEvent, RedialError } from '#lib/kernel';
import { contextOf, endOfRun, type RunEnd, type WorkflowRegistry, type WorkflowStarted } from '#lib/workflow';
import { HistoryBroken } from '../file/history-broken.js';
import { NoHistory, type OpenedHistory, openHistory } from '../file/open-history.js';
import { verifyHistory } from '../file/verify-history.js';
import { type Change, changeOf, type Changes } from './changes.js';
import { type EndOfToday, RunsOfToday } from './run-of-today.js';
import { SessionOfToday } from './session-of-today.js';
import type { Today } from './today.js';
import type { JudgedHistory } from './verdict.js';

const NOT_HERE = 'its content was left out or erased: there is no content to compare';

/** The parts of a comparison besides today's code and definitions. */
export interface Judging {
  /** The codec, with the events of the application's workflows. */
  readonly codec: EventCodec;
  /** The workflows of the engine: a history is verified with these, not with the application's changes. */
  readonly engine: WorkflowRegistry;
}

/** Compares one history file with today. A file that cannot be read or compared gets a verdict, not an error. */
export async function judgeHistory(
  file: string,
  today: Today,
  { codec, engine }: Judging,
): Promise<JudgedHistory> {
  let history: OpenedHistory;
  try {
    history = await openHistory(file, codec);
  } catch (error) {
    if (error instanceof HistoryBroken || error instanceof NoHistory)
      return { file, verdict: 'unreadable', why: error.message };
    throw error;
  }
  try {
    const { first, ...verdict } = await judged(history, today, engine);
    return { file, root: history.head.root, ...verdict, ...(first && { first: named(first, history) }) };
  } catch (error) {
    if (!(error instanceof RedialError)) throw error;
    return { file, root: history.head.root, verdict: 'unreadable', why: error.message };
  } finally {
    await history.log.store.close();
  }
}

/** Streams have their names in the file. */
function named(change: Change, { log }: OpenedHistory): Change {
  return { ...change, stream: log.streams.withoutPrefix(change.stream) };
}

async function judged(
  history: OpenedHistory,
  today: Today,
  engine: WorkflowRegistry,
): Promise<Pick<JudgedHistory, 'verdict' | 'first' | 'why'>> {
  if (history.head.redaction !== 'none') return { verdict: 'unreadable', why: NOT_HERE };
  const { divergences, erased = 0 } = await verifyHistory(history, engine);
  if (erased > 0) return { verdict: 'unreadable', why: NOT_HERE };
  const [divergence] = divergences;
  if (divergence) {
    await noteMachine(history, today);
    const { stream, revision, pointer, recorded = null, replayed = null } = divergence;
    return { verdict: 'diverges', first: { stream, revision, pointer, recorded, today: replayed } };
  }
  const changes: Changes = {};
  const notCompared = await compare(history, today, changes);
  const why = changes.missing ?? notCompared;
  if (why !== undefined) return { verdict: 'unreadable', why };
  if (changes.decisions) return { verdict: 'decisions', first: changes.decisions };
  return changes.requests ? { verdict: 'requests', first: changes.requests } : { verdict: 'same' };
}

/** The machine of a broken history counts as used. */
async function noteMachine({ head, log, stream }: OpenedHistory, today: Today): Promise<void> {
  if (head.root.kind !== 'session') return;
  const [created] = (await log.readStream(stream, { limit: 1 })) as readonly RecordedEvent<SessionCreated>[];
  if (created) today.machine(created.data.machineName);
}

/** @returns the reason if it cannot be compared */
async function compare(history: OpenedHistory, today: Today, changes: Changes): Promise<string | undefined> {
  const { head, log, stream } = history;
  if (head.root.kind === 'session') {
    await new SessionOfToday(log, today, changes).walk(stream);
    return undefined;
  }
  const events = await log.readStream(stream);
  const runs = new RunsOfToday(log, today, changes);
  if (head.root.kind === 'conversation') return compareTurns(history, events, runs, changes);
  const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
  const again = start && (await runs.run({ recorded: events, start }));
  if (!again) return `its workflow ${start?.data.workflow ?? ''} is not here: give it with --import`;
  noteEnd(changes, events, again);
  return undefined;
}

async function compareTurns(
  { log }: OpenedHistory,
  conversation: readonly RecordedEvent[],
  runs: RunsOfToday,
  changes: Changes,
): Promise<undefined> {
  const past = new StreamHistory(conversation);
  for (const request of conversation) {
    const turnId = turnRequests.askedBy(request);
    if (turnId === undefined) continue;
    const recorded = await log.readStream(log.streams.of(turn.name, turnId));
    const [start] = recorded as readonly RecordedEvent<WorkflowStarted>[];
    const rules = start && turn.versions[start.data.version];
    if (!rules) continue;
    const context = contextOf(rules, past.upTo(request.revision));
    noteEnd(changes, recorded, (await runs.run({ recorded, start, context })) ?? {});
    if (changes.decisions) return undefined;
  }
  return undefined;
}

/** The end of a run is its decision. */
function noteEnd(changes: Changes, recorded: readonly RecordedEvent[], { end: today }: EndOfToday): void {
  const end = endOfRun(recorded);
  const last = recorded.at(-1);
  if (!today || !last) return;
  const { stream, revision } = last;
  const place = { stream, revision };
  // Without a recorded end there is no counterpart: the change holds the whole end, such as the error of the code.
  const change = end
    ? changeOf(place, ended(end), ended(today))
    : { ...place, pointer: '', recorded: null, today: ended(today) };
  if (change) changes.decisions ??= change;
}

function ended(data: RunEnd): Event {
  return { type: 'WorkflowEnded', data };
}
