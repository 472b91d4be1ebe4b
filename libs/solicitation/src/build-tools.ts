import { isEnriched, type TransitionDefinition } from '#lib/machine';
import type { ChatTool } from '#lib/models';

/** Transitions by name, in the order they are offered; a plain target string is a transition without anything else. */
export type OfferedTransitions = { readonly [name: string]: string | TransitionDefinition };

/** One tool for each enriched transition, in order; `null` where there is none. */
export function buildToolsFromTransitions(transitions: OfferedTransitions): ChatTool[] | null {
  const tools = Object.entries(transitions).flatMap(([name, transition]) =>
    typeof transition === 'object' && isEnriched(transition) ? [toolOf(name, transition)] : [],
  );
  return tools.length > 0 ? tools : null;
}

function toolOf(name: string, { description, parameters }: TransitionDefinition): ChatTool {
  return {
    type: 'function',
    function: {
      name,
      description: description ?? name,
      parameters: parameters ?? { type: 'object', properties: {} },
    },
  };
}
