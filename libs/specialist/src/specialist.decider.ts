import type { Decider } from '#lib/kernel';
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
