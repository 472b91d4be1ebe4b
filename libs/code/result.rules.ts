import type { Json, JsonObject } from '#lib/kernel';
import { spentMembers } from '#lib/call-rules';
import { RunFails } from '#lib/workflow';
import { transcriptOf } from './chat.rules.js';
import { type CitationAt, withSources } from './citations.js';
import type { CodeState, Stop } from './code.state.js';
import type { Iteration } from './iteration.rules.js';
import { mutationsIn } from './objects.rules.js';

/** The result with the parts that the history holds already. */
export function wholeResult(state: CodeState, recorded: Json): Json {
  const { citations = [], ...result } = recorded as JsonObject & { citations?: readonly CitationAt[] };
  const { sources } = state;
  return {
    ...result,
    mutations: mutationsIn(state.iterations),
    messages: [...transcriptOf(state)],
    ...(state.input.citations && { citations: [...withSources(citations, sources)], sources: [...sources] }),
  };
}

/** The result without the parts that the history holds already. @throws RunFails */
export function endOf({ iterations, exits, spent }: CodeState, stop: Stop): JsonObject {
  const result = { iterations: iterations.length, ...spentMembers(spent) };
  if ('failure' in stop) throw new RunFails(stop.failure, result);
  const { exit, value } = stop;
  const isTransition = exits.some(({ name, parameters }) => name === exit && parameters !== undefined);
  const proposed = isTransition && { arguments: value, summary: planOf(iterations.at(-1)) };
  const cited = stop.citations && stop.citations.length > 0 && { citations: [...stop.citations] };
  return { exit, value, ...cited, ...proposed, ...result };
}

/** The first comment of an iteration's code. */
function planOf(iteration: Iteration | undefined): Json {
  const comment = iteration?.traces.find(({ type }) => type === 'comment');
  return comment?.['text'] ?? null;
}
