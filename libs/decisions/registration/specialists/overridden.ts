import type { Session, VariantOverrides } from '#lib/decisions/session';
import type { ProposerExecution } from '#lib/decisions/specialists';

/** How a proposer is asked in this session: a fork may say otherwise than the registration. */
export function overridden(
  execution: ProposerExecution,
  specialistId: string,
  { fork }: Pick<Session, 'fork'>,
): ProposerExecution {
  return overriddenBy(execution, fork?.specialists[specialistId] ?? {});
}

/** How a proposer that a model decides for is asked when these members of its registration are replaced. */
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
