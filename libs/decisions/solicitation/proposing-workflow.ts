import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import type { TransitionDefinition } from '#lib/decisions/machines';
import type { ProposerContext } from '#lib/decisions/session';
import type { RunEnd } from '#lib/workflow';
import { activityFailure } from './activity-failure.js';
import { type Offered, validateStrategyResult, type Verdict } from './validate-choice.js';
import { templateRenderer } from '#lib/call-rules';

/** A transition as an exit in the input of a workflow. */
type OfferedExit = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type `object`. */
  readonly parameters: JsonObject;
};

/** The input of a workflow that proposes: with rendered texts, and the transitions of the state as `exits`. @throws TemplateTooLarge */
export function workflowInput(input: JsonObject, context: ProposerContext): JsonObject {
  const rendered = withTexts(input, templateRenderer(context)) as JsonObject;
  return { ...rendered, exits: exitsOf(context.transitions) };
}

/** In the order of the transitions. */
function exitsOf(transitions: ProposerContext['transitions']): OfferedExit[] {
  return Object.entries(transitions).map(([name, transition]) => exitOf(name, transition));
}

function exitOf(name: string, { description, parameters }: TransitionDefinition): OfferedExit {
  return {
    name,
    description: description ?? name,
    parameters: { type: 'object', ...(parameters ?? { properties: {} }) },
  };
}

/** All texts in a value, without the names of members. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The value with `change` applied to each text. Names of members stay. */
function withTexts(value: Json | undefined, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => withTexts(item, change));
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, change)]));
}

/**
 * Reads the end of a workflow as a choice: `{ exit, arguments?, summary? }`, and its own cost in the members of a proposal. The
 * exit is the name of a transition, the summary its reasoning.
 */
export function validateWorkflowEnd(offered: Offered, name: string, end: RunEnd): Verdict {
  if (end.status !== 'completed') return { failure: failureOf(name, end) };
  const { exit, arguments: given, summary = null, ...said } = (end.result ?? {}) as JsonObject;
  if (typeof exit !== 'string') return { failure: { kind: 'invalid-choice', message: noExit(name, said) } };
  const hasArguments = given !== undefined && given !== null && Object.keys(given).length > 0;
  const choice = { ...said, transitionName: exit, ...(hasArguments && { metaJson: given }) };
  return validateStrategyResult(offered, { ...choice, reasoning: summary }, `workflow ${name}`);
}

function failureOf(name: string, { status, failure }: RunEnd) {
  if (status === 'cancelled' || !failure)
    return { kind: 'workflow', message: `The workflow ${name} was cancelled.` } as const;
  const { kind, message } = activityFailure({ ...failure, retryable: false, durationMs: 0 });
  return {
    kind: kind === 'internal' ? ('workflow' as const) : kind,
    message: `The workflow ${name} failed: ${message}`,
  };
}

function noExit(name: string, { stopReason }: JsonObject): string {
  const why = typeof stopReason === 'string' ? ` (${stopReason})` : '';
  return `The workflow ${name} ended without one of its exits${why}.`;
}
