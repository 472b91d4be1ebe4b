import { type Command, type Decider, jsonText, type Rejection } from '#lib/kernel';
import type { GateDefinition } from './definition/gate-definition.js';
import type { GateCreated, GateEvent } from './gate.events.js';
import { unknownGate } from './gate.rejections.js';

interface GateState {
  /** 0 before the first. */
  readonly lastVersion: number;
  /** Absent before the gate is created, and once it is deleted. */
  readonly gate?: GateCreated['data'];
}

const noGate: GateState = { lastVersion: 0 };

/** Total: an unknown event leaves the state unchanged. */
function evolveGate(state: GateState, event: GateEvent): GateState {
  switch (event.type) {
    case 'GateCreated':
      return { lastVersion: event.data.version, gate: event.data };
    case 'GateDeleted':
      return { lastVersion: state.lastVersion };
    default:
      event satisfies never;
      return state;
  }
}

/** Creates a gate, or its next version. */
export type CreateGate = Command<
  'CreateGate',
  {
    /** `inspectGate` found no problem in it. */
    readonly definition: GateDefinition;
    /** The defined version of `gateMachine(definition)`. */
    readonly machineVersion: number;
  }
>;

export type DeleteGate = Command<'DeleteGate', { readonly gateId: string }>;

export type GateCommand = CreateGate | DeleteGate;

/** The rules of a gate's versions. */
export const gateDecider: Decider<GateState, GateCommand, GateEvent> = {
  initialState: noGate,
  decide: decideGate,
  evolve: evolveGate,
  record: (command) => command,
  rebuild: (recorded) => recorded as GateCommand,
};

function decideGate(command: GateCommand, state: GateState): readonly GateEvent[] | Rejection {
  switch (command.type) {
    case 'CreateGate':
      return create(command, state);
    case 'DeleteGate': {
      const { gateId } = command.data;
      return state.gate ? [{ type: 'GateDeleted', data: { gateId } }] : unknownGate(gateId);
    }
  }
}

/** The rule of machines: an equal definition changes nothing; any other is the next version, even if it equals an older one. */
function create({ data }: CreateGate, { gate, lastVersion }: GateState): readonly GateEvent[] {
  const { definition, machineVersion } = data;
  const isSame =
    gate?.machineVersion === machineVersion && jsonText(gate.definition) === jsonText(definition);
  if (isSame) return [];
  const { gateId } = definition;
  const version = lastVersion + 1;
  return [{ type: 'GateCreated', data: { gateId, version, machineVersion, definition } }];
}
