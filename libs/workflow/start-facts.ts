import type { StreamHistory } from '#lib/event-store';
import { isRejection, type Json, type Problem, type Rejection } from '#lib/kernel';
import type { RunEffects, RunOverrides } from './forks/fork.events.js';
import type { JsonSchema } from './run-values.js';
import type { Owner } from './runtime.events.js';
import type { FactName, Rules } from './workflow.js';

/** A start, as the sources of its facts see it. */
export interface FactsOf {
  readonly owner?: Owner;
  readonly by?: string;
  readonly fork?: RunEffects;
  /** The overrides of the fork that the run continues, or works for. */
  readonly overrides?: RunOverrides;
  /** In a fork with another input, the fact of the parent. Entries that both runs have do not change. */
  readonly kept?: Json;
}

/** The sources of facts. They are asked once, when a run starts, with its input and the stream that it refers to. A rejection refuses the start. */
export type FactSources = Readonly<
  Record<
    FactName,
    (input: Json, used: StreamHistory, start?: FactsOf) => Json | Rejection | Promise<Json | Rejection>
  >
>;

/** The facts of a start, by name. */
export type Facts = Readonly<Record<FactName, Json>>;

/** The problems of a value under a schema; none if it fits. */
export type SchemaCheck = (schema: JsonSchema, value: Json) => readonly Problem[];

/** The facts that rules need for a start with this input. @param kept the facts of the run that was forked */
export async function askedFacts(
  rules: Pick<Rules, 'facts' | 'factsInput'>,
  input: Json,
  {
    sources,
    used,
    start,
  }: { readonly sources: FactSources; readonly used: StreamHistory; readonly start: FactsOf },
  kept: Facts = {},
): Promise<Facts | Rejection> {
  const { facts = [] } = rules;
  const asked = rules.factsInput?.(input) ?? input;
  const found = await Promise.all(
    facts.map(async (name) => {
      const before = kept[name];
      return (
        (await sources[name]?.(asked, used, { ...start, ...(before !== undefined && { kept: before }) })) ??
        null
      );
    }),
  );
  const refused = found.find(isRejection);
  if (refused) return refused;
  return Object.fromEntries(facts.map((name, index) => [name, found[index] as Json]));
}

export function inputProblems(rules: Rules, input: Json, problemsOf: SchemaCheck): readonly Problem[] {
  const problems = problemsOf(rules.input, input);
  return problems.length > 0 ? problems : (rules.problemsOf?.(input) ?? []);
}
