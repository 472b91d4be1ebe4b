import type { EventLog } from '#lib/event-store';
import { isJsonObject, isRejection, type Json, randomIds, type Rejection, systemClock } from '#lib/kernel';
import type { PlannerInput } from '#lib/planner';
import type { ReadStore } from '#lib/projections';
import { ToolFacts } from '#lib/tools';
import type { FactSources } from '#lib/workflow';
import { ModelMemory } from '../models/model-memory.js';
import { unpricedModel } from '../models/unpriced-model.js';
import type { EngineSettings } from '../settings/engine-settings.js';

/** The facts that the rules of a run may request once, at its start. */
export function runFacts(log: EventLog, store: ReadStore, settings: EngineSettings): FactSources {
  const memory = new ModelMemory(store, systemClock);
  const tools = new ToolFacts(log);
  return {
    clock: () => systemClock.now().toISOString(),
    seed: () => randomIds.next(),
    model: (input) => modelFact(input, settings, memory),
    tools: (input) => tools.of(input),
  };
}

/** How the models that the input names are called, and their prices. */
async function modelFact(
  input: Json,
  { models }: EngineSettings,
  memory: ModelMemory,
): Promise<Json | Rejection> {
  const { model, backupModels, budget } = (isJsonObject(input) ? input : {}) as Partial<PlannerInput>;
  const routes = models.known(model ?? '', backupModels);
  if (isRejection(routes)) return routes;
  return unpricedModel(routes, budget) ?? { routes: await memory.told(routes), seed: randomIds.next() };
}
