import type { ArbiterFunctions } from '#lib/decisions/arbitration';
import type { NamedFunctions, RegisteredFunctions, WorkflowFn } from '#lib/activities';
import type { ProposerFunctions } from './proposer-functions.js';

/** The functions of a process, as registered at the time of a call. */
export function registeredFunctions(
  functions: { readonly [fnName: string]: WorkflowFn },
  proposers: ProposerFunctions,
  arbiters: ArbiterFunctions,
): RegisteredFunctions {
  return {
    strategy: {
      kind: 'strategy',
      names: () => proposers.strategyNames,
      named: (fnName) => proposers.strategy(fnName),
    },
    context: {
      kind: 'context function',
      names: () => proposers.contextNames,
      named: (fnName) => proposers.context(fnName),
    },
    verdict: {
      kind: 'arbiter',
      names: () => arbiters.arbiterNames,
      named: (fnName) => arbiters.arbiter(fnName),
    },
    hook: ofWorkflows(functions),
    function: ofWorkflows(functions),
  };
}

function ofWorkflows(functions: { readonly [fnName: string]: WorkflowFn }): NamedFunctions {
  return {
    kind: 'function',
    names: () => Object.keys(functions),
    named: (fnName) => (Object.hasOwn(functions, fnName) ? functions[fnName] : undefined),
  };
}
