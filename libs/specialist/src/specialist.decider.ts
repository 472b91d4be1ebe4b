import { type Decider, fold, type RecordedEvent } from '#lib/kernel';
import type { SpecialistCommand } from './specialist.commands.js';
import { decideSpecialist } from './specialist.decide.js';
import type { SpecialistEvent } from './specialist.events.js';
import { evolveSpecialist } from './specialist.evolve.js';
import type { SpecialistState } from './specialist.state.js';

/** The rules of who takes part. */
export const specialistDecider: Decider<SpecialistState, SpecialistCommand, SpecialistEvent> = {
  initialState: null,
  decide: decideSpecialist,
  evolve: evolveSpecialist,
  record: (command) => command,
  rebuild: (recorded) => recorded as SpecialistCommand,
};

/** The version that was current at a log position; of a specialist that was registered later, the one that is current now. */
export function versionAt(
  history: readonly RecordedEvent<SpecialistEvent>[],
  position: string | undefined,
): number | undefined {
  const before = history.filter((event) => position === undefined || event.position <= position);
  return (fold(specialistDecider, before) ?? fold(specialistDecider, history))?.current;
}
