import type { Command, Decider, RecordedEvent } from '#lib/kernel';
import type { HistoryExported, SubjectErased, SubjectEvent } from './subject.events.js';

/** A subject as its stream has it; `undefined` while it is not erased. */
export type SubjectState = { readonly streams: number; readonly hasEnded: boolean } | undefined;

export type EraseSubject = Command<'EraseSubject', SubjectErased['data']>;
export type EndErasure = Command<'EndErasure', Record<string, never>>;
type RecordHistory = Command<'RecordHistory', HistoryExported['data']>;
type SubjectCommand = EraseSubject | EndErasure | RecordHistory;

export const subjectDecider: Decider<SubjectState, SubjectCommand, SubjectEvent> = {
  initialState: undefined,
  decide: (command, state): readonly SubjectEvent[] => {
    if (command.type === 'EraseSubject') return state ? [] : [{ type: 'SubjectErased', data: command.data }];
    // A file that is made once the subject is erased opens nothing.
    if (command.type === 'RecordHistory')
      return state ? [] : [{ type: 'HistoryExported', data: command.data }];
    return state && !state.hasEnded ? [{ type: 'SubjectErasureEnded', data: {} }] : [];
  },
  evolve: (state, event) => {
    if (event.type === 'SubjectErased') return state ?? { streams: event.data.streams, hasEnded: false };
    return event.type === 'SubjectErasureEnded' ? state && { ...state, hasEnded: true } : state;
  },
  record: (command) => command,
  rebuild: (recorded) => recorded as SubjectCommand,
};

/** The event that erased it, if it was erased. */
export function erasureIn(events: readonly RecordedEvent<SubjectEvent>[]) {
  return events.find((event): event is RecordedEvent<SubjectErased> => event.type === 'SubjectErased');
}
