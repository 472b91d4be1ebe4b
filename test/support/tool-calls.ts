import { completion } from '#lib/activities/testing';

/** A reply that calls several tools. */
export const toolCalls = (...asked: readonly (readonly [name: string, argumentsText: string])[]) =>
  completion(
    {
      role: 'assistant',
      content: null,
      tool_calls: asked.map(([name, argumentsText], index) => ({
        id: `p${index}`,
        type: 'function',
        function: { name, arguments: argumentsText },
      })),
    },
    'tool_calls',
  );
