import { WorkflowBug } from './derive.rules.js';
import {
  type Event,
  explain,
  firstDifference,
  type RecordedEvent,
  RedialError,
  thrownText,
} from '#lib/kernel';
import type { OpenStep, RunSteps } from './run.decider.js';

/** The most open steps that a report names. */
const MOST_WAITING = 20;

/** The first event that differs when its history is derived again. */
export interface Divergence {
  readonly stream: string;
  readonly revision: number;
  /** The type of the recorded event. */
  readonly type: string;
  /** JSON pointer (RFC 6901) into the event: below `/data`, or `/type`. */
  readonly pointer: string;
  /** `undefined` if one side has no value or no event. */
  readonly recorded?: unknown;
  readonly replayed?: unknown;
  /** The steps of the run that were open before this event, oldest first, at most 20. Absent if there were none. */
  readonly waiting?: readonly string[];
}

/** The difference between a recorded event and the one derived in its place, in type or data. Metadata is not compared. */
export function compareEvents(recorded: RecordedEvent, replayed: Event | undefined): Divergence | undefined {
  if (!replayed || replayed.type !== recorded.type) return divergenceAt(recorded, replayed?.type);
  const difference = firstDifference(recorded.data, replayed.data, '/data');
  return difference && { ...locationOf(recorded), ...difference };
}

/** The divergence of an event in whose place another event, or none, belongs. */
export function divergenceAt(recorded: RecordedEvent, replayed: string | undefined): Divergence {
  return { ...locationOf(recorded), pointer: '/type', recorded: recorded.type, replayed };
}

/** The divergence of an event at which pure code threw. Damaged data may have any shape, so an exception is a divergence and never a crash. */
export function divergenceFromError(recorded: RecordedEvent, error: unknown): Divergence {
  const thrown = error instanceof WorkflowBug ? (error.cause ?? error) : error;
  const replayed = thrown instanceof RedialError ? thrown.message : unusable(recorded, thrown);
  return { ...locationOf(recorded), pointer: '', recorded: recorded.type, replayed };
}

function unusable({ type, revision }: RecordedEvent, error: unknown): string {
  const message = thrownText(error);
  const why = `the rules fail at it (${message}): its data, or that of an event before it, may be damaged, or the rules were changed`;
  const fix = 'Compare it with a copy of the log from before, and the rules with those that wrote it';
  return explain('UnusableEvent', `${type} at revision ${revision}`, why, fix);
}

/** A divergence with the steps that were open before its event. */
export function whileOpen(divergence: Divergence, open: RunSteps['open'] | undefined): Divergence {
  if (!open || open.size === 0) return divergence;
  const waiting: string[] = [];
  for (const [id, step] of open) {
    if (waiting.length === MOST_WAITING) break;
    waiting.push(`${id} (${waitedFor(step)})`);
  }
  return { ...divergence, waiting };
}

function waitedFor(step: OpenStep): string {
  if (step.kind === 'call') return step.activity;
  if (step.kind === 'child') return step.workflow;
  return step.kind === 'await' ? `signal ${step.signal}` : step.kind;
}

/** The location of an event, as a divergence names it. */
export function locationOf({ stream, revision, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>) {
  return { stream, revision, type };
}
