import type { Arbiter, Proposer, ProposerExecution } from '#lib/decisions/specialists';
import { reject, type Rejection } from '#lib/kernel';
import { refuse } from '#lib/operations/core';

/**
 * A disabled specialist is asked too: the result shows whether to enable it. A workflow is not asked: its tools would act again.
 * @throws RejectionError
 */
export function executionOf(specialist: Proposer | Arbiter): ProposerExecution {
  const { specialistId, role } = specialist;
  if (role === 'arbiter') return refuse(cannotBeAsked(specialistId, 'it is an arbiter'));
  const { isHuman, execution } = specialist;
  if (isHuman || !execution)
    return refuse(cannotBeAsked(specialistId, 'a human is never asked by the engine'));
  if ('workflow' in execution)
    return refuse(cannotBeAsked(specialistId, 'it is a workflow: its tools would act again'));
  return execution;
}

/** @param why the specialist cannot be asked */
const cannotBeAsked = (specialistId: string, why: string): Rejection =>
  reject('refused', 'wrong-specialist', {
    what: `specialist ${specialistId}`,
    why,
    fix: 'Name a proposer that is a model, a function or a webhook, or read the decisions recorded for this one (`record`)',
  });
