import { setTimeout as delay } from 'node:timers/promises';
import { cannotBeRead, ERASED, type EventLog, StoreUnavailable, streamsAbout } from '#lib/event-store';
import { type Clock, derivedId, ENGINE_ACTOR, isRejection, randomIds } from '#lib/kernel';
import { commandContext, type CommandWriter, RejectionError } from '#lib/operations/core';
import type { ProjectionRunner, ReadStore, SubjectKeys } from '#lib/read-models';
import { sessionDecider } from '#lib/decisions/session';
import { isRunCategory, type RunCommands, type WorkflowRuntime } from '#lib/workflow';
import { erasureIn, subjectDecider } from './subject.decider.js';
import type { SubjectEvent } from './subject.events.js';

const MOST_SCRUBS = 30;
const SCRUB_AGAIN_MS = 1_000;

export interface ErasureParts {
  readonly log: EventLog;
  readonly keys: SubjectKeys;
  readonly rows: ReadStore;
  readonly projections: ProjectionRunner;
  readonly writer: CommandWriter;
  readonly commands: RunCommands;
  readonly runtime: WorkflowRuntime;
  readonly clock: Clock;
}

/**
 * Ends the erasure of a subject, in this order: its open sessions and runs end, its key is destroyed, and rows are filled again without its
 * content. Each step may be repeated, so any process can go on after one that died between two steps.
 */
export async function endErasure(parts: ErasureParts, subject: string, signal: AbortSignal): Promise<void> {
  if (!(await destroyKey(parts, subject, signal))) return;
  // Another process may have begun sessions or runs with a key that it still held.
  await refilled(parts, signal, () => endAllOpen(parts, subject, signal));
  const target = { category: 'subject', id: subject } as const;
  await parts.writer.send(
    subjectDecider,
    target,
    { type: 'EndErasure', data: {} },
    ownContext(subject, 'end'),
  );
}

/**
 * The first steps of an erasure: the open sessions and runs about the subject end, and its key is destroyed.
 * @returns false for a subject that is not erased
 */
export async function destroyKey(
  parts: ErasureParts,
  subject: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { log, keys } = parts;
  const erased = erasureIn(await log.readStream<SubjectEvent>(log.streams.of('subject', subject)));
  if (!erased) return false;
  log.keys.forget(subject);
  await endAllOpen(parts, subject, signal);
  await keys.erase(subject, erased.occurredAt);
  log.keys.forget(subject);
  return true;
}

/**
 * Fills the rows again without erased content, and overwrites the bytes of the old rows.
 * @param before called before the file is rewritten
 */
export async function refilled(
  { projections, rows }: ErasureParts,
  signal: AbortSignal,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<true> {
  await projections.refill(signal);
  await before();
  await scrubbed(rows, signal);
  return true;
}

/** While another process reads the rows, their file cannot be rewritten: only this step is repeated. */
async function scrubbed(rows: ReadStore, signal: AbortSignal): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await rows.scrub?.();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tried === MOST_SCRUBS || signal.aborted) throw error;
      await delay(SCRUB_AGAIN_MS, undefined, { signal });
    }
  }
}

/** A stream that cannot be read stays open: it must not keep the key from being destroyed. */
async function endAllOpen(parts: ErasureParts, subject: string, signal: AbortSignal): Promise<void> {
  for (const stream of await streamsAbout(parts.log, subject))
    await endOpen(parts, stream, signal).catch((error: unknown) => {
      if (!cannotBeRead(error)) throw error;
    });
}

/** Ends a session or a run that is open. */
async function endOpen(parts: ErasureParts, stream: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new StoreUnavailable('the erasure', 'this process stops', 'It goes on by itself');
  const { category = '', id = '' } = parts.log.streams.parse(stream) ?? {};
  if (category === 'session') await closeSession(parts, id);
  else if (isRunCategory(category)) await failRun(parts, stream, id);
}

async function closeSession({ writer }: ErasureParts, sessionId: string): Promise<void> {
  const data = { sessionId, by: ENGINE_ACTOR };
  const target = { category: 'session', id: sessionId } as const;
  const context = ownContext(sessionId, 'erased');
  try {
    await writer.send(sessionDecider, target, { type: 'CloseSession', data }, context);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof RejectionError)) throw error;
  }
}

async function failRun({ commands, runtime, clock }: ErasureParts, stream: string, runId: string) {
  const metadata = { occurredAt: clock.now().toISOString(), correlationId: runId, actor: ENGINE_ACTOR };
  const eventId = derivedId(runId, ERASED);
  const answer = { eventId, metadata: { ...metadata, causationId: runId } };
  const failed = await commands.giveUp(stream, { kind: ERASED }, answer);
  // Its owner, if it has one, takes in the end.
  if (!isRejection(failed)) await runtime.retry(stream);
}

/** The call of the engine itself for a step: a repeat has the same id. */
function ownContext(id: string, step: string) {
  const context = commandContext('', { actor: ENGINE_ACTOR }, randomIds);
  const { operation: _operation, ...own } = context;
  return { ...own, commandId: derivedId(derivedId(ERASURES, id), step) };
}

/** Namespace of the commands of erasures. */
const ERASURES = '0e5b1b0a-5f0a-4d53-9a58-3d1f2c7b9e61';
