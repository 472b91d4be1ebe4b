import type { Activity, ActivityRegistry } from '#lib/workflow';
import type { EventLog } from '#lib/event-store';
import { isJsonObject, isRejection, type Json, randomIds, type Rejection, systemClock } from '#lib/kernel';
import { type ModelRoute, unpricedModel } from '#lib/call-rules';
import type { PlannerInput } from '#lib/planner';
import type { ReadStore } from '#lib/read-models';
import { ToolFacts } from '#lib/runs/tools/core';
import { ALLOWANCE, type FactSources, grantedAllowance } from '#lib/workflow';
import { ModelMemory } from '#lib/runs/runs/core';
import type { EngineSettings } from '../settings/engine-settings.js';

/** Nest's token of the sources of facts (`FactSources` of `#lib/workflow`). */
export const RUN_FACTS = Symbol('RunFacts');

/** The facts that the rules of a run may request once, at its start. */
export function runFacts(
  log: EventLog,
  store: ReadStore,
  settings: EngineSettings,
  activities: ActivityRegistry<Activity>,
): FactSources {
  const memory = new ModelMemory(store, systemClock);
  const tools = new ToolFacts(log);
  return {
    [ALLOWANCE]: grantedAllowance,
    clock: () => systemClock.now().toISOString(),
    seed: () => randomIds.next(),
    model: (input) => modelFact(input, settings, activities, memory),
    tools: (input) => tools.of(input),
  };
}

/** How the models that the input names are called, and their prices. */
async function modelFact(
  input: Json,
  { models }: EngineSettings,
  activities: ActivityRegistry<Activity>,
  memory: ModelMemory,
): Promise<Json | Rejection> {
  const { model, backupModels, budget } = (isJsonObject(input) ? input : {}) as Partial<PlannerInput>;
  const routes = models.known(model ?? '', backupModels);
  if (isRejection(routes)) return routes;
  const refusal = unpricedModel(routes, budget) ?? uncallable(activities, routes);
  return refusal ?? { routes: await memory.withObservations(routes), seed: randomIds.next() };
}

/** Why this process cannot call one of the models, such as a missing key. */
function uncallable(
  activities: ActivityRegistry<Activity>,
  routes: readonly ModelRoute[],
): Rejection | undefined {
  const refusals = routes.map(({ provider, url }) => activities.named('llm')?.preflight({ provider, url }));
  return refusals.find((refusal) => refusal !== undefined);
}
