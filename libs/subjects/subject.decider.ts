import type { Command, Decider, RecordedEvent } from '#lib/kernel';
import type { HistoryExported, SubjectErased, SubjectEvent } from './subject.events.js';

/** A subject, folded from its stream. */
export interface SubjectState {
  /** `begun` once its key is no longer used, `ended` once it is destroyed. */
  readonly erasure?: 'begun' | 'ended';
  /** The exported histories: of what, to whom, and whether with the key, each once. */
  readonly given: readonly HistoryExported['data'][];
}

export type EraseSubject = Command<'EraseSubject', SubjectErased['data']>;
type EndErasure = Command<'EndErasure', Record<string, never>>;
type RecordHistory = Command<'RecordHistory', HistoryExported['data']>;
type SubjectCommand = EraseSubject | EndErasure | RecordHistory;

export const subjectDecider: Decider<SubjectState, SubjectCommand, SubjectEvent> = {
  initialState: { given: [] },
  decide: (command, state): readonly SubjectEvent[] => {
    const { erasure } = state;
    if (command.type === 'EraseSubject')
      return erasure ? [] : [{ type: 'SubjectErased', data: command.data }];
    // A history file that is made after the erasure has no key.
    if (command.type === 'RecordHistory')
      return erasure || isGiven(state, command.data) ? [] : [{ type: 'HistoryExported', data: command.data }];
    return erasure === 'begun' ? [{ type: 'SubjectErasureEnded', data: {} }] : [];
  },
  evolve: (state, event) => {
    if (event.type === 'SubjectErased') return { ...state, erasure: state.erasure ?? 'begun' };
    if (event.type === 'SubjectErasureEnded') return { ...state, erasure: 'ended' };
    return isGiven(state, event.data) ? state : { ...state, given: [...state.given, event.data] };
  },
  record: (command) => command,
  rebuild: (recorded) => recorded as SubjectCommand,
};

/** The same export is not recorded again: the log has at most one for each reader and history. */
function isGiven({ given }: SubjectState, { kind, id, by, hasKey }: HistoryExported['data']): boolean {
  return given.some((one) => one.kind === kind && one.id === id && one.by === by && one.hasKey === hasKey);
}

/** The event that erased it, if it was erased. */
export function erasureIn(events: readonly RecordedEvent<SubjectEvent>[]) {
  return events.find((event): event is RecordedEvent<SubjectErased> => event.type === 'SubjectErased');
}
