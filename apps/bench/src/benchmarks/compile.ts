import { inspectMachine, machineHash, type MachineInput, normalizeMachine } from '#lib/machine';
import { hostileDefinitions } from '#lib/machine/testing';
import { machineTemplateWarnings } from '#lib/solicitation';
import type { Benchmark, Observation } from '../comparison.js';

const TRIES = 3;

/** The longest time for which inspecting a definition, of any size that the server reads, keeps the event loop busy. */
export const compile: Benchmark = {
  name: 'compile',
  async open() {
    return { comparisons: [], observe: async () => worst(), close: async () => undefined };
  },
};

function worst(): readonly Observation[] {
  const measured = hostileDefinitions().map(({ name, text }) => ({ name, value: fastest(text) }));
  const slowest = measured.toSorted((a, b) => b.value - a.value).slice(0, 3);
  return slowest.map(({ name, value }, index) => ({
    name: `compile-worst-${index + 1}`,
    value,
    unit: 'ms',
    observed: `inspecting a definition with ${name}, of ${measured.length} hostile ones; goal: 50`,
  }));
}

function fastest(text: string): number {
  return Math.min(...Array.from({ length: TRIES }, () => timeOf(JSON.parse(text))));
}

function timeOf(definition: unknown): number {
  const start = process.cpuUsage();
  if (inspectMachine(definition).valid) {
    const machine = normalizeMachine(definition as MachineInput);
    machineTemplateWarnings(machine);
    machineHash(machine);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
