import { derivedId, type RecordedEvent } from '#lib/kernel';
import { type Call, subCall } from '#lib/operations';
import type { SessionEvent } from '#lib/session';

type History = readonly RecordedEvent<SessionEvent>[];

/** What a step of at most so many moves wrote: its own commands, and the ends of what it asked for. */
export function traceOf(call: Call, history: History, moves: number): History {
  const own = (name: string) => subCall(call, name).commandId;
  const closed = (commandId: string, workflow: string) => derivedId(derivedId(commandId, workflow), 'close');
  const solicit = own('solicit');
  const arbitrations = Array.from({ length: moves }, (_, count) => own(`arbitrate-${count}`));
  const ids = new Set([
    solicit,
    closed(solicit, 'solicitation'),
    own('ask-human'),
    ...arbitrations.flatMap((commandId) => [commandId, closed(commandId, 'arbitration')]),
  ]);
  return history.filter(({ metadata }) => ids.has(metadata.commandId));
}
