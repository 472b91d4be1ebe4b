import type { Decider } from '#lib/kernel';
import type { GateCommand } from './gate.commands.js';
import { decideGate } from './gate.decide.js';
import type { GateEvent } from './gate.events.js';
import { evolveGate } from './gate.evolve.js';
import { type GateState, noGate } from './gate.state.js';

/** The rules of a gate's versions. */
export const gateDecider: Decider<GateState, GateCommand, GateEvent> = {
  initialState: noGate,
  decide: decideGate,
  evolve: evolveGate,
  record: (command) => command,
  rebuild: (recorded) => recorded as GateCommand,
};
