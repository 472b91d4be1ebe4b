import type { MachineDefinition } from './machine-definition.js';
import { isEnriched, transitionsOf } from './machine-reading.js';

/**
 * The machine as a Mermaid `stateDiagram-v2`, states and transitions in the machine's order. Enriched transitions, which models
 * get as tools, are marked `[tool]`. Every name is shown unchanged, with all its characters.
 */
export function machineDiagram(definition: MachineDefinition): string {
  const aliases = aliasesOf(definition);
  const alias = (name: string) => aliases.get(name);
  const lines = [
    ...[...aliases].map(([name, id]) => `state "${label(name)}" as ${id}`),
    `[*] --> ${alias(definition.initialState)}`,
    ...Object.keys(definition.states).flatMap((from) =>
      Object.entries(transitionsOf(definition, from)).map(
        ([name, transition]) =>
          `${alias(from)} --> ${alias(transition.target)} : ${label(name)}${isEnriched(transition) ? ' [tool]' : ''}`,
      ),
    ),
    `${alias(definition.goalState)} --> [*]`,
  ];
  return `${['stateDiagram-v2', ...lines.map((line) => `    ${line}`)].join('\n')}\n`;
}

/** Ids without a special meaning in Mermaid, for every named state. */
function aliasesOf({ states, initialState, goalState }: MachineDefinition): ReadonlyMap<string, string> {
  const targets = Object.values(states).flatMap((state) =>
    Object.values(state.transitions ?? {}).map(({ target }) => target),
  );
  const names = new Set([...Object.keys(states), initialState, goalState, ...targets]);
  return new Map([...names].map((name, index) => [name, `s${index}`]));
}

/**
 * Mermaid's character codes for all characters that may be syntax. The blank in "direction LR" is one: anywhere in a line,
 * Mermaid reads that line as the command.
 */
function label(name: string): string {
  return name.replaceAll(
    /[^\p{L}\p{N}_ .-]|(?<=direction) /giu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
