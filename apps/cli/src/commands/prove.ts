import { type MachineDefinition, type MachineProof, proveMachine, shownWay } from '#lib/decisions/machines';
import { jsonText, oneLine } from '#lib/kernel';
import { PropertyViolated } from '../error-classes.js';
import type { GlobalOptions } from '../input/options.js';
import { readUnprovedFile } from '../input/read-machine-file.js';
import { type Io, type Paint, printResult } from '../io.js';

/** The most characters of a line: a loop may have every state of a machine. */
const LONGEST_LINE = 1_000;

/** @throws PropertyViolated after the proof is printed */
export async function prove({ json }: GlobalOptions, io: Io, file: string): Promise<void> {
  const machine = await readUnprovedFile(file);
  const proof = proveMachine(machine);
  printResult(io, json, proof, (value, paint) => proofLines(machine, value, paint));
  const violated = proof.properties.filter(({ holds }) => !holds);
  if (violated.length === 0) return;
  const verb = violated.length === 1 ? 'does' : 'do';
  const why = `${violated.length} of ${proof.properties.length} stated properties ${verb} not hold`;
  throw new PropertyViolated(file, why, 'Change the machine or its properties');
}

function proofLines(machine: MachineDefinition, proof: MachineProof, paint: Paint): readonly string[] {
  const { unreachable, deadEnds, undecidable, loopsWithoutPeople, properties } = proof;
  const lines = [
    ...unreachable.map((state) => `unreachable: ${state}`),
    ...deadEnds.map((state) => `dead end: ${state}`),
    ...undecidable.map(({ state, why }) => `not decidable by the declared specialists: ${state}: ${why}`),
    ...loopsWithoutPeople.map((loop) => `loops without people: ${[...loop, loop[0] ?? ''].join(' -> ')}`),
  ];
  const found = lines.length > 0 ? lines : ['every state is reached, reaches the goal and can be decided'];
  const proved = properties.map(({ property, holds, counterexample }) => {
    const word = holds ? paint('green', 'holds') : paint('red', 'does not hold');
    const way = holds ? '' : shownWay(machine, counterexample);
    return `${word}: ${oneLine(`${jsonText(property)}${way}`, LONGEST_LINE)}`;
  });
  return [...found.map((line) => oneLine(line, LONGEST_LINE)), ...proved];
}
