import { isJsonObject, type JsonObject, ownMember, type Problem } from '#lib/kernel';
import { dataProblems } from './data.rules.js';
import { flowNamed } from './agent-definition.js';
import type { Directive } from './directive-definition.js';

export const POSITIONS = ['goTo', 'goToStep', 'complete', 'abort', 'reset'] as const;
export type PositionName = (typeof POSITIONS)[number];

/** The part of an agent that a directive may name. */
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

/** Why a directive of the right shape cannot be applied. Whether its flow exists is checked here too, wherever it comes from. */
export function directiveProblems(
  directive: Directive,
  scope: DirectiveScope,
  base = '',
): readonly Problem[] {
  const named = POSITIONS.filter((name) => ownMember(directive, name) !== undefined);
  const problems: Problem[] = [];
  if (named.length > 1)
    problems.push({ path: base, message: `has ${named.join(' and ')}: a directive has one of them at most` });
  if (directive.abort !== undefined && directive.reply !== undefined)
    problems.push({
      path: `${base}/reply`,
      message: 'stands beside abort: an aborted conversation says nothing',
    });
  if (Object.keys(directive).length === 0) problems.push({ path: base, message: 'is empty' });
  return [...problems, ...targetProblems(directive, scope, base), ...ownData(directive, scope, base)];
}

function targetProblems({ goTo, goToStep, complete, reset }: Directive, scope: DirectiveScope, base: string) {
  if (goTo !== undefined) {
    const target = typeof goTo === 'string' ? { flow: goTo } : goTo;
    return placeProblems(
      target,
      scope,
      typeof goTo === 'string' ? `${base}/goTo` : `${base}/goTo/flow`,
      base,
    );
  }
  if (goToStep !== undefined) {
    const target = typeof goToStep === 'string' ? { step: goToStep } : goToStep;
    return placeProblems(target, scope, `${base}/goToStep/flow`, base);
  }
  if (isJsonObject(reset) && reset.step !== undefined)
    return placeProblems({ step: reset.step }, scope, base, base);
  const next = isJsonObject(complete) ? complete.next : undefined;
  return next ? directiveProblems(next, scope, `${base}/complete/next`) : [];
}

function placeProblems(
  { flow, step }: { readonly flow?: string; readonly step?: string },
  scope: DirectiveScope,
  path: string,
  base: string,
): readonly Problem[] {
  const found = flow === undefined ? scope.flow : flowNamed(scope.flows, flow);
  if (flow !== undefined && !found) return [{ path, message: `names no flow: ${flow}` }];
  if (step === undefined || !found || found.steps.some(({ id }) => id === step)) return [];
  return [{ path: base, message: `names no step of its flow: ${step}` }];
}

function ownData(directive: Directive, { schema }: DirectiveScope, base: string): readonly Problem[] {
  const { goTo, goToStep, dataUpdate } = directive;
  const below = (at: string, data: JsonObject | undefined) =>
    dataProblems(schema, data ?? {}).map(({ path, message }) => ({ path: `${base}${at}${path}`, message }));
  return [
    ...below('/dataUpdate', dataUpdate),
    ...(typeof goTo === 'object' ? below('/goTo/data', goTo.data) : []),
    ...(typeof goToStep === 'object' ? below('/goToStep/data', goToStep.data) : []),
  ];
}
