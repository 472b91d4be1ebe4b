import { inspectMachine, machineHash, type MachineInput, normalizeMachine } from '#lib/decisions/machines';
import { hostileDefinitions } from '#lib/decisions/machines/testing';
import { machineTemplateWarnings } from '#lib/decisions/solicitation';
import type { Benchmark, Observation } from '../comparison.js';

const TRIES = 3;

/** The longest time for which reading a definition, of any size that the server accepts, keeps the event loop busy at once. */
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
    atMost: 50,
    unit: 'ms',
    observed: `reading a definition with ${name}, of ${measured.length} hostile ones`,
  }));
}

function fastest(text: string): number {
  return Math.min(...Array.from({ length: TRIES }, () => timeOf(JSON.parse(text))));
}

/** Milliseconds of processor time of the longer of the two slices, between which the server handles other requests. */
function timeOf(definition: unknown): number {
  const inspecting = processorTime(() => inspectMachine(definition).valid);
  if (!inspecting.result) return inspecting.ms;
  const reading = processorTime(() => {
    const machine = normalizeMachine(definition as MachineInput);
    machineTemplateWarnings(machine);
    return machineHash(machine);
  });
  return Math.max(inspecting.ms, reading.ms);
}

function processorTime<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return { result, ms: (user + system) / 1000 };
}
