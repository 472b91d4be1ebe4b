import { ownMember, present } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';
import type { GateChoice, GateDefinition, GateInput } from './gate-definition.js';

const EVALUATE = 'evaluate';
const DONE = 'done';

/**
 * The machine of a gate: from `evaluate` every choice leads to `done`. Normalized. The machine declares the specialists, so
 * alignment is kept for the whole gate, and specialists registered for it later take part too.
 */
export function gateMachine({
  gateId,
  prompt,
  choices,
  specialists,
  consensusThreshold,
  quorum,
  trust,
  collapse,
}: GateDefinition): MachineDefinition {
  const transitions = Object.fromEntries(
    Object.entries(choices).map(([name, choice]) => [name, { target: DONE, ...choice }]),
  );
  return {
    machineName: gateId,
    initialState: EVALUATE,
    goalState: DONE,
    states: { [EVALUATE]: { ...(prompt !== undefined && { prompt }), transitions }, [DONE]: {} },
    ...present({ specialists, consensusThreshold, quorum, trust, collapse }),
  };
}

/** A gate whose choices are objects. Members keep their order. */
export function normalizeGate({ ...gate }: GateInput): GateDefinition {
  const choices = Object.entries(gate.choices).map(([name, choice]) => [name, choiceOf(choice)]);
  return { ...gate, choices: Object.fromEntries(choices) as GateDefinition['choices'] };
}

/** A text is the description of the choice. */
export function choiceOf(choice: GateChoice | string): GateChoice {
  return typeof choice === 'string' ? { description: choice } : choice;
}

/** The machine of one invocation: its question is the gate's, then a blank line and the suffix of the invocation. */
export function askedMachine(machine: MachineDefinition, promptSuffix = ''): MachineDefinition {
  if (promptSuffix === '') return machine;
  const evaluate = ownMember(machine.states, EVALUATE) ?? {};
  const prompt = [evaluate.prompt ?? '', promptSuffix].filter((part) => part !== '').join('\n\n');
  return { ...machine, states: { ...machine.states, [EVALUATE]: { ...evaluate, prompt } } };
}

/** Whether a valid machine is of the shape that gates have. */
export function isGateMachine({ initialState, goalState, states }: MachineDefinition): boolean {
  const choices = Object.values(ownMember(states, EVALUATE)?.transitions ?? {});
  return (
    initialState === EVALUATE &&
    goalState === DONE &&
    Object.keys(states).length === 2 &&
    choices.length > 0 &&
    choices.every(({ target }) => target === DONE)
  );
}
