import { argumentsSchema, isEnriched, type TransitionDefinition } from '#lib/decisions/machines';
import { type ChatTool, type ToolNames, toolNames } from '#lib/call-rules';

/** Transitions by name, in the order of the offer. A text is the target of a transition without other members. */
export type OfferedTransitions = { readonly [name: string]: string | TransitionDefinition };

/** The names of the tools as sent, and their transitions. */
export function transitionTools(transitions: OfferedTransitions): ToolNames {
  return toolNames(
    Object.entries(transitions).flatMap(([name, to]) =>
      typeof to === 'object' && isEnriched(to) ? [name] : [],
    ),
  );
}

/** One tool for each enriched transition, in order; `null` without any. */
export function buildToolsFromTransitions(transitions: OfferedTransitions): ChatTool[] | null {
  const sent = new Map(Object.entries(transitionTools(transitions)).map(([tool, name]) => [name, tool]));
  const tools = Object.entries(transitions).flatMap(([name, transition]) =>
    typeof transition === 'object' && isEnriched(transition)
      ? [toolOf(name, sent.get(name) ?? name, transition)]
      : [],
  );
  return tools.length > 0 ? tools : null;
}

function toolOf(name: string, sent: string, { description, parameters }: TransitionDefinition): ChatTool {
  return {
    type: 'function',
    function: {
      name: sent,
      description: description ?? name,
      parameters: parameters ? argumentsSchema(parameters) : { type: 'object', properties: {} },
    },
  };
}
