import { describe, expect, it } from '@jest/globals';
import type { MachineDefinition } from './machine-definition.js';
import { machineHash } from './machine-hash.js';

function machine(transitions: Record<string, { target: string }>): MachineDefinition {
  return { machineName: 'm', initialState: 'a', goalState: 'b', states: { a: { transitions }, b: {} } };
}
const x = { target: 'a' };
const y = { target: 'b' };

describe('machineHash', () => {
  it('is the SHA-256 of the JSON text, the same for every release', () => {
    expect(machineHash(machine({ y }))).toBe(
      '28d9ea96e2b28d49686db55d5d8ef540c55f530af90a9fbeb47d94b861d1b2e6',
    );
  });

  it('tells the order of transitions apart', () => {
    expect(machineHash(machine({ x, y }))).not.toBe(machineHash(machine({ y, x })));
  });

  it('is the same for a machine that went through JSON text', () => {
    const kept = JSON.parse(JSON.stringify(machine({ x, y }))) as MachineDefinition;
    expect(machineHash(kept)).toBe(machineHash(machine({ x, y })));
  });
});
