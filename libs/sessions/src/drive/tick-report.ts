import { derivedId, type RecordedEvent } from '#lib/kernel';
import { childContext, type CommandContext, type Written } from '#lib/operations';
import { type Move, type Session, sessionDecider, type SessionEvent } from '#lib/session';
import { deliveryId } from '#lib/workflow';
import {
  decidedMeanwhile,
  needsHuman,
  solicitedResult,
  type TickResult,
  tickResultOf,
} from './tick-result.js';
import type { Moved } from './session-loop.js';

type History = readonly RecordedEvent<SessionEvent>[];

/**
 * The result of a step, from the events it wrote, or else from those it found.
 * @param index how many transitions the session had before it
 */
export function tickReport(
  context: CommandContext,
  { last, count, history, waitsFor }: Moved,
  index: number,
): Written<TickResult> {
  const done = writtenResult(context, history.events, count);
  if (done) return done;
  const session = history.state(sessionDecider);
  if (!session) throw new TypeError('A session that does not exist took a step.');
  return { value: withoutTrace(session, last, index, waitsFor), position: undefined, created: false };
}

/** The result of a step from its events; `undefined` when they do not give one. */
export function writtenResult(
  context: CommandContext,
  history: History,
  moves: number,
): Written<TickResult> | undefined {
  const trace = traceOf(context, history, moves);
  const value = tickResultOf(trace, history);
  return value && { value, position: trace.at(-1)?.position, created: false };
}

/** The events that a step of at most `moves` moves wrote: of its own commands, and the ends of the runs it asked for. */
export function traceOf(context: CommandContext, history: History, moves: number): History {
  const own = (name: string) => childContext(context, name).commandId;
  const known = history.flatMap(({ data }) => ('specialistId' in data ? [data.specialistId] : []));
  const solicits = [...new Set(known)].map((specialistId) => own(`solicit-${specialistId}`));
  const arbitrations = Array.from({ length: moves }, (_, count) => own(`arbitrate-${count}`));
  const ids = new Set([
    ...solicits.flatMap((commandId) => [commandId, deliveryId(derivedId(commandId, 'solicitation'))]),
    own('ask-human'),
    ...arbitrations.flatMap((commandId) => [commandId, deliveryId(derivedId(commandId, 'arbitration'))]),
  ]);
  return history.filter(({ metadata }) => metadata.commandId !== undefined && ids.has(metadata.commandId));
}

function withoutTrace(session: Session, last: Move, index: number, waitsFor?: string): TickResult {
  const decided = decidedMeanwhile(session, index);
  if (decided) return decided;
  if (waitsFor !== undefined) return needsHuman(session, waitsFor);
  if (last.move === 'ask-human') return needsHuman(session, last.detail);
  const asked = 'specialistId' in last ? last.specialistId : undefined;
  return solicitedResult(session, asked);
}
