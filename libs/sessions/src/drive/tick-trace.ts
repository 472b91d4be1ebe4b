import { derivedId, type RecordedEvent } from '#lib/kernel';
import { type CommandContext, childContext } from '#lib/operations';
import type { SessionEvent } from '#lib/session';
import { deliveryId } from '#lib/workflow';

type History = readonly RecordedEvent<SessionEvent>[];

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
