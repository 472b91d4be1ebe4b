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

  it('X-T3: leaves out how specialists are registered, and nothing else of them', () => {
    const clerk = { role: 'proposer', specialistId: 'clerk', modelId: 'm', contextTemplate: 't' } as const;
    const declaring = (over: object) => ({ ...machine({ x }), specialists: [{ ...clerk, ...over }] });
    const hash = machineHash(declaring({}));
    expect(machineHash(declaring({ keepAlignment: true, disabled: true }))).toBe(hash);
    expect(machineHash(declaring({ disabled: false }))).toBe(hash);
    expect(machineHash(declaring({ modelId: 'n' }))).not.toBe(hash);
  });

  it('holds an entry that is disabled in its own place alone: it says who decides there', () => {
    const ann = { role: 'proposer', specialistId: 'ann', isHuman: true } as const;
    const declaring = (disabled: boolean) => ({
      ...machine({ x }),
      specialists: [ann],
      states: { a: { specialists: [{ ...ann, disabled }] }, b: {} },
    });
    expect(machineHash(declaring(true))).not.toBe(machineHash(declaring(false)));
  });
});
