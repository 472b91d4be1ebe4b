import { cannotBeRead, type EventLog, type Position, type StoredEvent } from '#lib/event-store';
import { sessionRejections } from '#lib/decisions/session';
import { unknownConversation } from '#lib/flows/core';
import { reject, RedialError, type Rejection } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import { runRejections, type WorkflowRegistry, type WorkflowStarted } from '#lib/workflow';
import { NAMING, streamsNamedBy } from './asked-streams.js';
import { type HistoryRoot, MOST_STREAMS } from './history-lines.js';

const PAGE = 256;
const PAGE_BYTES = 4 * 1024 * 1024;

/** A stream of a history, up to the position where the history is cut. */
export interface PlannedStream {
  /** The name of the stream, without the prefix of the log. */
  readonly stream: string;
  readonly events: number;
  readonly first: Position;
}

/** The streams of a history: that of the root, then the others in the order of their first events. */
export interface HistoryPlan {
  readonly root: HistoryRoot;
  readonly streams: readonly PlannedStream[];
  /** The subjects of its streams. */
  readonly subjects: readonly string[];
}

/** A session, run or conversation has too many streams for a file. */
export class HistoryTooLarge extends RedialError {
  override readonly answer = { status: 422, code: 'history-too-large' };
}

/** The rejection of an unknown id, by kind. */
export const UNKNOWN_ROOT: { readonly [Kind in HistoryRoot['kind']]: (id: string) => Rejection } = {
  session: sessionRejections.unknownSession,
  run: runRejections.unknownRun,
  conversation: unknownConversation,
};

/** A root, and its stream without the prefix of the log. */
export interface FoundRoot {
  readonly root: HistoryRoot;
  readonly stream: string;
}

/** The session, run or conversation with this id; `undefined` if there is none. Only runs of these workflows are found. */
export async function findRoot(
  log: EventLog,
  id: string,
  workflows: WorkflowRegistry,
  kinds: readonly HistoryRoot['kind'][] = ['session', 'conversation', 'run'],
): Promise<FoundRoot | undefined> {
  for (const kind of kinds) {
    const categories = kind === 'run' ? workflows.all.map(({ name }) => name) : [kind];
    for (const category of categories) {
      const [first] = await log.store.readStream(log.streams.of(category, id), { limit: 1 });
      if (first) return { root: { kind, id }, stream: `${category}-${id}` };
    }
  }
  return undefined;
}

/** Every session and conversation, and every run that no other stream asked for, in the order of the log. */
export async function* rootsOf(log: EventLog, workflows: WorkflowRegistry): AsyncGenerator<FoundRoot> {
  let from: Position | undefined;
  for (;;) {
    const page = await log.store.readAll({
      limit: PAGE,
      bytes: PAGE_BYTES,
      ...(from !== undefined && { from }),
    });
    for (const stored of page) {
      const root = stored.revision === 0 ? await rootBegunBy(log, stored, workflows) : undefined;
      if (root) yield { root, stream: log.streams.withoutPrefix(stored.stream) };
    }
    from = page.at(-1)?.position;
    if (page.length === 0) return;
  }
}

async function rootBegunBy(
  log: EventLog,
  stored: StoredEvent,
  workflows: WorkflowRegistry,
): Promise<HistoryRoot | undefined> {
  const { category, id } = log.streams.parse(stored.stream) ?? { category: '', id: '' };
  if (category === 'session' || category === 'conversation') return { kind: category, id };
  if (!workflows.named(category) || stored.type !== 'WorkflowStarted') return undefined;
  return (await mayBeRoot(log, stored)) ? { kind: 'run', id } : undefined;
}

/** A start that cannot be read may be a root: the plan of its history gives the reason. */
async function mayBeRoot(log: EventLog, stored: StoredEvent): Promise<boolean> {
  try {
    return !(await log.decode<WorkflowStarted>(stored)).data.owner;
  } catch (error) {
    if (cannotBeRead(error)) return true;
    throw error;
  }
}

/** @throws RejectionError */
export function refuseUnknownRoot(id: string): never {
  throw new RejectionError(
    reject('unknown', 'unknown-history', {
      what: `history ${id}`,
      why: 'there is no session, run or conversation with this id',
      fix: 'List them with redial sessions, redial runs list or redial conversations list; a run also needs its workflow, which --import gives',
    }),
  );
}

/**
 * Finds the streams of a root: its own, those of its runs and of the runs below them, streams of which these use a value, the
 * streams of its tasks, and the answers to keyed commands. The log is cut at its head.
 * @throws HistoryTooLarge @throws UndecodableEvent @throws StoreUnavailable
 */
export async function planHistory(log: EventLog, { root, stream }: FoundRoot): Promise<HistoryPlan> {
  const cut = await log.store.head();
  const walk = new PlanWalk(log, cut);
  walk.enter([stream], true);
  await walk.all();
  const [own, others] = [walk.found.slice(0, 1), walk.found.slice(1)];
  const subjects = [...walk.subjects].toSorted();
  return { root, subjects, streams: [...own, ...others.toSorted((a, b) => (a.first < b.first ? -1 : 1))] };
}

class PlanWalk {
  /** By name, in the order of the walk. */
  readonly #found = new Map<string, PlannedStream>();
  /** The entered streams by name, and whether the streams below them are wanted. */
  readonly #entered = new Map<string, boolean>();
  readonly #left: string[] = [];
  readonly subjects = new Set<string>();

  constructor(
    private readonly log: EventLog,
    private readonly cut: Position | undefined,
  ) {}

  /** The stream of the root is first. */
  get found(): readonly PlannedStream[] {
    return [...this.#found.values()];
  }

  /** A stream that was entered without the streams below it is walked again once these are wanted. */
  enter(streams: readonly string[], whole: boolean): void {
    for (const stream of streams) {
      const isWhole = this.#entered.get(stream);
      if (isWhole === true || isWhole === whole) continue;
      this.#entered.set(stream, whole);
      this.#left.push(stream);
    }
    if (this.#entered.size <= MOST_STREAMS) return;
    throw new HistoryTooLarge(
      'the history',
      `it has more than ${MOST_STREAMS} streams`,
      'Copy the log instead',
    );
  }

  async all(): Promise<void> {
    for (let stream = this.#left.shift(); stream !== undefined; stream = this.#left.shift())
      await this.#walk(stream);
  }

  async #walk(stream: string): Promise<void> {
    let first: Position | undefined;
    let events = 0;
    for await (const stored of this.log.eachStored(this.log.streams.withPrefix(stream))) {
      if (this.cut !== undefined && stored.position > this.cut) break;
      if (first === undefined) this.#noteSubject(stored);
      first ??= stored.position;
      events += 1;
      if (this.#entered.get(stream)) await this.#take(stored);
    }
    if (first !== undefined) this.#found.set(stream, { stream, events, first });
  }

  /** All events of a stream have the subject of its first. */
  #noteSubject(stored: StoredEvent): void {
    const { keyId } = this.log.codec.metadataOf(stored);
    if (keyId !== undefined) this.subjects.add(keyId);
  }

  async #take(stored: StoredEvent): Promise<void> {
    if (stored.metadata.includes('"commandFingerprint"')) {
      const { commandId } = this.log.codec.metadataOf(stored);
      if (commandId !== undefined) this.enter([`call-${commandId}`], false);
    }
    if (!NAMING.has(stored.type)) return;
    const { whole, used } = streamsNamedBy(await this.log.decode(stored));
    this.enter(whole, true);
    this.enter(used, false);
  }
}
