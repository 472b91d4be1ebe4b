import type { ModelRoute } from '#lib/call-rules';
import { StreamHistory } from '#lib/event-store';
import { isRejection } from '#lib/kernel';
import { refuse } from '#lib/operations/core';
import type { Activity, ActivityRegistry, FactSources } from '#lib/workflow';
import type { Agent } from '../agent/agent-definition.js';
import { missingFunctions } from '../agent/missing-parts.js';
import { missingFunction } from './conversation.rejections.js';

interface Parts {
  readonly facts: FactSources;
  readonly activities: ActivityRegistry<Activity>;
}

/** Refuses a message before anything is recorded, if this process lacks functions or tools of the agent. @throws RejectionError */
export async function refuseMissing(agent: Agent, { facts, activities }: Parts): Promise<void> {
  await refuseModels(agent, { facts, activities });
  const [missing] = missingFunctions(agent, activities);
  if (missing) refuse(missingFunction(missing.message));
}

/** As `refuseMissing`, for models alone. @throws RejectionError */
export async function refuseModels(
  { model, backupModels = [] }: Pick<Agent, 'model' | 'backupModels'>,
  { facts, activities }: Parts,
): Promise<void> {
  const fact = await facts['model']?.({ model, backupModels }, new StreamHistory());
  if (isRejection(fact)) refuse(fact);
  const { routes } = fact as object as { readonly routes: readonly ModelRoute[] };
  for (const { provider, url } of routes) {
    const refused = activities.named('llm')?.preflight({ provider, url });
    if (refused) refuse(refused);
  }
}
