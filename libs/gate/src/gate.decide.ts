import { jsonText, type Rejection } from '#lib/kernel';
import type { CreateGate, GateCommand } from './gate.commands.js';
import type { GateEvent } from './gate.events.js';
import { unknownGate } from './gate.rejections.js';
import type { GateState } from './gate.state.js';

export function decideGate(command: GateCommand, state: GateState): readonly GateEvent[] | Rejection {
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
