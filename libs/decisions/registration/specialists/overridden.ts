import type { Session, VariantOverrides } from '#lib/decisions/session';
import type { ProposerExecution } from '#lib/decisions/specialists';

/** The execution mode of a proposer in this session, with the overrides of a fork. */
export function overridden(
  execution: ProposerExecution,
  specialistId: string,
  { fork }: Pick<Session, 'fork'>,
): ProposerExecution {
  return overriddenBy(execution, fork?.specialists[specialistId] ?? {});
}

/** The execution mode of a model proposer, with these members replaced. */
export function overriddenBy(
  execution: ProposerExecution,
  { prompts: _, ...given }: VariantOverrides,
): ProposerExecution {
  if (!('modelId' in execution)) return execution;
  if (given.contextTemplate === undefined) return { ...execution, ...given };
  const { modelId, askReasoning, modelParameters, backupModels, systemPrompt, budget } = execution;
  const asked = { modelId, askReasoning, modelParameters, backupModels, systemPrompt, budget, ...given };
  const present = Object.entries(asked).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as ProposerExecution;
}
