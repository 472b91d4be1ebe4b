import { checkShape, definitionSizeProblem, inspectSchema, schemaProblem } from '#lib/json-schema';
import { below, LISTED_PROBLEMS, type Problem } from '#lib/kernel';
import type { AgentInput, FlowInput, SignalInput } from './agent-definition.js';
import { agentSchema } from './agent-schema.js';
import { expressionProblem } from '../turn/expression.rules.js';
import { dataProblems, fieldsOf } from './data.rules.js';
import { duplicates, ofEach } from './agent-problems.rules.js';
import { flowProblems, hookProblems, instructionProblems, toolProblems } from './flow-problems.rules.js';
import { namedParts } from './named-parts.rules.js';
import { flowId, stepId } from './normalize-agent.rules.js';
import { directiveProblems, type DirectiveScope } from './directive-problems.rules.js';

export interface AgentInspection {
  /** True exactly if there are no errors. */
  readonly valid: boolean;
  /** The first 20 errors. */
  readonly errors: readonly Problem[];
  /** The number of errors, if not all are listed. */
  readonly errorCount?: number;
  /** The agent is legal, but probably not as its author meant. Empty while there are errors. */
  readonly warnings: readonly Problem[];
  /** The value cannot be read as an agent: a value of the wrong JSON type, or an unknown member. */
  readonly isMalformed: boolean;
}

/**
 * The problems of a value as an agent: the first ones and their number, each with a JSON pointer. Pure, never throws. Checks that
 * need the right shape run only for a value of the right shape.
 */
export function inspectAgent(value: unknown): AgentInspection {
  const tooLarge = definitionSizeProblem(value);
  if (tooLarge) return inspection([tooLarge], 1, tooLarge.kind === 'malformed');
  const { errors, count } = checkShape(agentSchema, value);
  const isMalformed = errors.some(({ keyword }) => keyword === 'type' || keyword === 'additionalProperties');
  if (count > 0) return inspection(errors.map(schemaProblem), count, isMalformed);
  const problems = ruleProblems(value as AgentInput);
  return {
    ...inspection(problems, problems.length, false),
    ...(problems.length === 0 && warningsOf(value as AgentInput)),
  };
}

function warningsOf({ signals }: AgentInput): Pick<AgentInspection, 'warnings'> {
  const all = ofEach(signals, ({ behavior, cooldownMs }) => {
    if (behavior === 'cooldown' && cooldownMs === undefined)
      return [{ path: '/behavior', message: 'is cooldown without cooldownMs: it may fire in every turn' }];
    if (behavior !== 'cooldown' && cooldownMs !== undefined)
      return [{ path: '/cooldownMs', message: 'has no effect: behavior is not cooldown' }];
    return [];
  });
  return { warnings: below('/signals', all).slice(0, LISTED_PROBLEMS) };
}

function inspection(problems: readonly Problem[], count: number, isMalformed: boolean): AgentInspection {
  return {
    valid: count === 0,
    errors: problems.slice(0, LISTED_PROBLEMS).map(({ path, message }) => ({ path, message })),
    ...(count > LISTED_PROBLEMS && { errorCount: count }),
    warnings: [],
    isMalformed,
  };
}

function ruleProblems(agent: AgentInput): readonly Problem[] {
  const ofSchema = schemaProblems(agent);
  // Names of data can only be checked against a valid schema.
  if (ofSchema.length > 0) return ofSchema;
  const schema = agent.schema ?? { type: 'object' };
  const { flows, initialData = {}, instructions = [] } = agent;
  const named = flows.map((flow) => outlineOf(flow));
  const [ids, titles] = [named.map(({ id }) => id), named.map(({ title }) => title)];
  const scope = { schema, fields: fieldsOf(schema), flows: named };
  return [
    ...below('/initialData', dataProblems(schema, initialData)),
    ...below('/instructions', instructionProblems(instructions, scope.fields)),
    ...below('/flows', duplicates(ids, 'flow id', '/id')),
    ...below('/flows', duplicates(titles, 'flow title', '/title')),
    ...below('/tools', toolProblems(agent.tools)),
    ...below('/hooks', hookProblems(agent.hooks, ['onEnter'], scope)),
    ...expressionProblems(agent),
    ...below('/signals', signalProblems(agent.signals, scope)),
    ...below(
      '/flows',
      ofEach(flows, (flow) => flowProblems(flow, { ...scope, flow: outlineOf(flow) })),
    ),
  ];
}

const GATE = /\/(validateInput|checkPermissions)\/expr$/;

function expressionProblems(agent: AgentInput): readonly Problem[] {
  return namedParts(agent).flatMap((part) => {
    const message = 'expr' in part ? expressionProblem(part.expr, GATE.test(part.path)) : undefined;
    return message === undefined ? [] : [{ path: part.path, message }];
  });
}

function outlineOf(flow: FlowInput) {
  const id = flowId(flow);
  return { id, title: flow.title, steps: flow.steps.map((step, index) => ({ id: stepId(step, index, id) })) };
}

function schemaProblems({ schema }: AgentInput): readonly Problem[] {
  if (schema === undefined) return [];
  const problems = below('/schema', inspectSchema(schema));
  if (schema['type'] === 'object') return problems;
  return [...problems, { path: '/schema/type', message: 'must be "object": data have names' }];
}

/** The problems of signals of the right shape. */
function signalProblems(signals: readonly SignalInput[] = [], scope: DirectiveScope): readonly Problem[] {
  return [
    ...duplicates(
      signals.map(({ id }) => id),
      'signal id',
      '/id',
    ),
    ...ofEach(signals, ({ extract, handler }) => [
      ...below('/extract', inspectSchema(extract ?? {})),
      ...below('/handler', handlerProblems(handler, scope)),
    ]),
  ];
}

function handlerProblems(handler: SignalInput['handler'], scope: DirectiveScope): readonly Problem[] {
  if (!handler || typeof handler === 'string' || 'fn' in handler) return [];
  const { stopOtherSignals: _, replyWith, ...given } = handler;
  const directive = { ...given, ...(replyWith !== undefined && { reply: replyWith }) };
  return Object.keys(directive).length === 0 ? [] : directiveProblems(directive, scope);
}
