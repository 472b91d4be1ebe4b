import { type Command, type Decider, jsonText, type Rejection } from '#lib/kernel';
import type { GateDefinition } from './definition/gate-definition.js';
import type { GateCreated, GateEvent } from './gate.events.js';
import { unknownGate } from './gate.rejections.js';

interface GateState {
  /** 0 before it was ever created. */
  readonly lastVersion: number;
  /** Absent before it is created, and once it is deleted. */
  readonly gate?: GateCreated['data'];
}

const noGate: GateState = { lastVersion: 0 };

/** Total: an event of a type from the future changes nothing. */
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

/** Create a gate, or its next version. */
export type CreateGate = Command<
  'CreateGate',
  {
    /** `inspectGate` found nothing wrong with it. */
    readonly definition: GateDefinition;
    /** The version of `gateMachine(definition)`, which is defined. */
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

/** The same rule as for machines: an equal definition changes nothing, any other becomes the next version, also one that equals an older version. */
function create({ data }: CreateGate, { gate, lastVersion }: GateState): readonly GateEvent[] {
  const { definition, machineVersion } = data;
  const isSame =
    gate?.machineVersion === machineVersion && jsonText(gate.definition) === jsonText(definition);
  if (isSame) return [];
  const { gateId } = definition;
  const version = lastVersion + 1;
  return [{ type: 'GateCreated', data: { gateId, version, machineVersion, definition } }];
}
