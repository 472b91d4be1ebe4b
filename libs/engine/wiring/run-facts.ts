import type { Activity, ActivityRegistry } from '#lib/workflow';
import type { EventLog } from '#lib/event-store';
import { isJsonObject, isRejection, type Json, randomIds, type Rejection } from '#lib/kernel';
import { type ModelRoute, type ModelsFact, unpricedModel } from '#lib/call-rules';
import type { PlannerInput } from '#lib/planner';
import type { ReadStore } from '#lib/read-models';
import { ToolFacts } from '#lib/runs/tools/core';
import { ALLOWANCE, type FactsOf, type FactSources, grantedAllowance, type Uses } from '#lib/workflow';
import { ModelMemory } from '#lib/runs/runs/core';
import type { EngineSettings } from '../settings/engine-settings.js';

/** The facts that the rules of a run may request once, at its start. */
export function runFacts(
  log: EventLog,
  store: ReadStore,
  settings: EngineSettings,
  activities: ActivityRegistry<Activity>,
): FactSources {
  const memory = new ModelMemory(store, settings.time);
  const tools = new ToolFacts(log);
  return {
    [ALLOWANCE]: grantedAllowance,
    clock: () => settings.time.now().toISOString(),
    seed: () => randomIds.next(),
    model: (input, _, start) => modelFact(input, settings, activities, memory, start),
    models: (input, _, start) => modelsFact(input, settings, activities, memory, start),
    tools: (input, _, start) => tools.of(input, start),
    functions: (input) => functionsFact(input, activities),
  };
}

/** The settings for calls of the models that the input names, and their prices. */
async function modelFact(
  input: Json,
  { models }: EngineSettings,
  activities: ActivityRegistry<Activity>,
  memory: ModelMemory,
  { kept, overrides }: FactsOf = {},
): Promise<Json | Rejection> {
  const { model, backupModels, budget } = (isJsonObject(input) ? input : {}) as Partial<PlannerInput>;
  const routes = models.known(model ?? '', backupModels);
  if (isRejection(routes)) return routes;
  const asked = [...overridingRoutes(overrides), ...routes];
  const refusal = unpricedModel(asked, budget) ?? uncallable(activities, routes);
  const { seed = randomIds.next() } = (isJsonObject(kept) ? kept : {}) as { readonly seed?: string };
  return refusal ?? { routes: await memory.withObservations(routes), seed };
}

/** The models that a fork has put in place of those of its runs, as they are recorded. */
function overridingRoutes({ models }: FactsOf['overrides'] = {}): readonly ModelRoute[] {
  return (models as ModelsFact | null | undefined)?.routes ?? [];
}

/** The settings for calls of the models that a script uses. */
function modelsFact(
  input: Json,
  settings: EngineSettings,
  activities: ActivityRegistry<Activity>,
  memory: ModelMemory,
  start?: FactsOf,
): Promise<Json | Rejection> | Json {
  const { models = [], ...limits } = input as Uses & { readonly budget?: Json };
  const [model, ...backupModels] = models;
  if (model === undefined) return null;
  const { budget = {} } = limits;
  return modelFact({ model, backupModels, budget }, settings, activities, memory, start);
}

/** The names of the functions that a script uses. */
function functionsFact(input: Json, activities: ActivityRegistry<Activity>): Json | Rejection {
  const { functions = [] } = input as Uses;
  const refusals = functions.map((fnName) => activities.named('function')?.preflight({ fnName }));
  return refusals.find((refusal) => refusal !== undefined) ?? [...functions];
}

/** Why this process cannot call one of the models, such as a missing key. */
function uncallable(
  activities: ActivityRegistry<Activity>,
  routes: readonly ModelRoute[],
): Rejection | undefined {
  const refusals = routes.map(({ provider, url }) => activities.named('llm')?.preflight({ provider, url }));
  return refusals.find((refusal) => refusal !== undefined);
}
