import { chatCompletionsUrl, publicUrl } from '#lib/activities';
import type { EventLog } from '#lib/event-store';
import { isJsonObject, type Json, randomIds, reject, type Rejection, systemClock } from '#lib/kernel';
import { priceInForce } from '#lib/projections';
import { ToolFacts } from '#lib/tools';
import type { FactSources } from '#lib/workflow';
import type { EngineSettings } from '../settings/engine-settings.js';

/** What the rules of a run may ask for once, when it starts. */
export function runFacts(log: EventLog, settings: EngineSettings): FactSources {
  const tools = new ToolFacts(log);
  return {
    clock: () => systemClock.now().toISOString(),
    seed: () => randomIds.next(),
    model: (input) => modelFact(input, settings),
    tools: (input) => tools.of(input),
  };
}

/** How the model that the input names is called, and its price. */
function modelFact(input: Json, { llm, prices, solicitation }: EngineSettings): Json | Rejection {
  const { model, budget } = isJsonObject(input) ? input : {};
  const { maxAttempts, callTimeoutMs: timeoutMs } = solicitation.policies;
  const price =
    typeof model === 'string' ? priceInForce(prices, model, systemClock.now().toISOString()) : undefined;
  const { maxUSD } = isJsonObject(budget) ? budget : {};
  if (maxUSD !== undefined && !price) return unpriced(typeof model === 'string' ? model : 'the model');
  const url = publicUrl(chatCompletionsUrl(llm.baseUrl).href);
  return { url, timeoutMs, maxAttempts, ...(price && { price }) };
}

function unpriced(model: string): Rejection {
  return reject('refused', 'budget', {
    errorClass: 'UnknownPrice',
    what: `the budget in US dollars for ${model}`,
    why: 'no price of this model is in force',
    fix: 'Add its price, or set a budget in tokens',
  });
}
