import { below, isJsonObject, type JsonObject, ownMember, type Problem } from '#lib/kernel';
import { dataProblems } from './data.rules.js';
import { flowNamed } from './agent-definition.js';
import type { Directive } from './directive-definition.js';

const POSITIONS = ['goTo', 'goToStep', 'complete', 'abort', 'reset'] as const;

/** The part of an agent that a directive may refer to. */
export interface DirectiveScope {
  readonly schema: JsonObject;
  readonly flows: readonly {
    readonly id: string;
    readonly title: string;
    readonly steps: readonly { readonly id: string }[];
  }[];
  /** The flow in which `goToStep` and `reset` name steps. */
  readonly flow?: { readonly steps: readonly { readonly id: string }[] };
}

/** The problems of a directive of the right shape for an agent, including an unknown flow. */
export function directiveProblems(directive: Directive, scope: DirectiveScope): readonly Problem[] {
  const problems = [...courseProblems(directive)];
  if (Object.keys(directive).every((name) => name === 'reason'))
    problems.push({ path: '', message: 'is empty' });
  return [...problems, ...targetProblems(directive, scope), ...ownData(directive, scope)];
}

/** The problems of a directive of the right shape for every agent. */
export function courseProblems(directive: Directive): readonly Problem[] {
  const named = POSITIONS.filter((name) => ownMember(directive, name) !== undefined);
  const problems: Problem[] = [];
  if (named.length > 1)
    problems.push({ path: '', message: `has ${named.join(' and ')}: a directive has one of them at most` });
  if (directive.abort !== undefined && directive.reply !== undefined)
    problems.push({ path: '/reply', message: 'stands beside abort: an aborted conversation says nothing' });
  return problems;
}

function targetProblems({ goTo, goToStep, complete, reset }: Directive, scope: DirectiveScope) {
  if (goTo !== undefined) {
    const isName = typeof goTo === 'string';
    return locationProblems(isName ? { flow: goTo } : goTo, scope, isName ? '/goTo' : '/goTo/flow');
  }
  if (goToStep !== undefined) {
    const target = typeof goToStep === 'string' ? { step: goToStep } : goToStep;
    return locationProblems(target, scope, '/goToStep/flow');
  }
  if (isJsonObject(reset)) return locationProblems(reset, scope, '/reset');
  const next = isJsonObject(complete) ? complete.next : undefined;
  return next ? below('/complete/next', directiveProblems(next, scope)) : [];
}

function locationProblems(
  { flow, step }: { readonly flow?: string; readonly step?: string },
  scope: DirectiveScope,
  path: string,
): readonly Problem[] {
  const found = flow === undefined ? scope.flow : flowNamed(scope.flows, flow);
  if (flow !== undefined && !found) return [{ path, message: `names no flow: ${flow}` }];
  if (step === undefined || !found || found.steps.some(({ id }) => id === step)) return [];
  return [{ path: '', message: `names no step of its flow: ${step}` }];
}

function ownData(directive: Directive, { schema }: DirectiveScope): readonly Problem[] {
  const { goTo, goToStep, dataUpdate } = directive;
  const given: readonly (readonly [string, JsonObject | undefined])[] = [
    ['/dataUpdate', dataUpdate],
    ['/goTo/data', typeof goTo === 'object' ? goTo.data : undefined],
    ['/goToStep/data', typeof goToStep === 'object' ? goToStep.data : undefined],
  ];
  return given.flatMap(([path, data]) => below(path, dataProblems(schema, data ?? {})));
}
