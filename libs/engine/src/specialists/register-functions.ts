import type { ContextFn, ProposerFunctions, StrategyFn } from '#lib/activities';
import { reject } from '#lib/kernel';
import type { SpecialistRegistration } from '#lib/specialist';
import { RejectionError } from '../write-side/rejection-error.js';

/** A proposer as code registers it: a function may stand in place of a name. It is known under the specialist's id then. */
export type ProposerRegistration = Omit<SpecialistRegistration, 'role' | 'threshold'> & {
  readonly strategyFn?: StrategyFn;
  readonly contextFn?: ContextFn;
};

type Rule = readonly [broken: (r: ProposerRegistration) => boolean, why: string];

const RULES: readonly Rule[] = [
  [(r) => Boolean(r.strategyFn && r.strategyFnName), 'it has both strategyFn and strategyFnName'],
  [(r) => Boolean(r.strategyFn && r.modelId), 'it has both strategyFn and modelId'],
  [
    (r) => Boolean(r.strategyFn && (r.contextFn ?? r.contextFnName)),
    'it has both strategyFn and a context function',
  ],
  [(r) => Boolean(r.contextFn && r.contextFnName), 'it has both contextFn and contextFnName'],
  [(r) => Boolean(r.contextFn && !r.modelId), 'it has contextFn but no modelId'],
];

/**
 * Registers the functions of a proposer in this process, under its id and in place of earlier ones, and gives the registration
 * for the log, which names them.
 * @throws RejectionError when the members exclude each other: nothing is registered then
 */
export function registerFunctions(
  functions: ProposerFunctions,
  registration: ProposerRegistration,
): SpecialistRegistration {
  const { strategyFn, contextFn, ...named } = registration;
  const { specialistId } = named;
  const [, why] = RULES.find(([broken]) => broken(registration)) ?? [];
  if (why !== undefined) throw new RejectionError(excluded(specialistId, why));
  if (strategyFn || contextFn) functions.unregister(specialistId);
  if (strategyFn) functions.registerStrategy(specialistId, strategyFn);
  if (contextFn) functions.registerContext(specialistId, contextFn);
  return {
    ...named,
    role: 'proposer',
    ...(strategyFn && { strategyFnName: specialistId }),
    ...(contextFn && { contextFnName: specialistId }),
  };
}

function excluded(specialistId: string, why: string) {
  const fix = 'Give exactly one execution mode';
  return reject('refused', 'execution-mode', {
    errorClass: 'InvalidSpecialist',
    what: `proposer ${specialistId}`,
    why,
    fix,
  });
}
