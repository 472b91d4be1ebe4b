import { closedSchema } from '#lib/json-schema';
import { isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';
import type { Flow, Step } from '../agent/agent-definition.js';
import { hasAll, missingIn } from '../agent/data.rules.js';
import { allHold, holds, those } from './conditions.rules.js';
import { embedded, fitting } from './embedded-schema.rules.js';
import { flowText, sidesOf, stepLine } from './prompts.rules.js';
import { askObject } from './question.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';

const PROGRESS_WEIGHT = 20;

/** The router's answer. */
interface Routed {
  readonly flow: Flow | undefined;
  /** The chosen successor of the current step, if the flow is kept. */
  readonly step?: Step | undefined;
  /** Extras that fit the flow's schema. */
  readonly extras?: Json | undefined;
  /** Points for the message to take up. */
  readonly responseDirectives: readonly string[];
}

/** Asks the model to score the open flows, and takes the best one. */
export function* route(turn: TurnDraft): Steps<Routed> {
  const open = turn.agent.flows.filter((flow) => isOpen(turn, flow));
  const isFirst = turn.version < 3;
  const eligible = yield* those(open, (flow) => (isFirst ? holds(turn, flow) : allHold(turn, flow.if)));
  if (eligible.length === 0) return { flow: undefined, responseDirectives: [] };
  const following = successorsIn(turn, eligible);
  const judged = isFirst ? NOT_JUDGED : judgedHere(turn, eligible);
  const answer = yield* askObject(turn, {
    purpose: 'route',
    schema: routeSchema(eligible, following, judged),
    section: { name: 'Routing', text: routeText(eligible, turn.flow, following, judged) },
  });
  const { responseDirectives, selectedStepId, routingExtras } = answer;
  const bullets = Array.isArray(responseDirectives) ? (responseDirectives as readonly Json[]) : [];
  const scores = isJsonObject(answer['scores']) ? answer['scores'] : {};
  const enterable = eligible.filter((flow) => isEnterable(flow, judged, scores, answer['beginAnew']));
  const flow = chooseFlow(turn, enterable, scores);
  return {
    flow,
    step: following.find(({ id }) => id === selectedStepId),
    extras: fitting(turn, flow?.routingExtrasSchema, routingExtras),
    responseDirectives: bullets.filter((one): one is string => typeof one === 'string'),
  };
}

/** Flows about which the router is asked more than a score. */
interface Judged {
  /** Entered only if their `when` holds: else their score is 0. */
  readonly conditional: readonly Flow[];
  /** Entered again only if the user asks for them again. */
  readonly completed: readonly Flow[];
}

const NOT_JUDGED: Judged = { conditional: [], completed: [] };

/** The current flow is left out: it is not entered. */
function judgedHere(turn: TurnDraft, eligible: readonly Flow[]): Judged {
  const others = eligible.filter(({ id }) => id !== turn.flow?.id);
  return {
    conditional: others.filter(({ when }) => when.length > 0),
    completed: others.filter(({ id }) => turn.completed.has(id)),
  };
}

function isEnterable(
  flow: Flow,
  { conditional, completed }: Judged,
  scores: JsonObject,
  anew?: Json,
): boolean {
  if (conditional.includes(flow) && scoreOf(flow, scores) === 0) return false;
  return !completed.includes(flow) || (Array.isArray(anew) && anew.includes(flow.id));
}

/** The successors of the current step, if its flow may be kept. */
function successorsIn({ flow, step }: TurnDraft, eligible: readonly Flow[]): readonly Step[] {
  if (!flow || !eligible.includes(flow)) return [];
  return flow.steps.filter(({ id }) => step?.next.includes(id));
}

/**
 * The current flow is open. A flow with `entry: 'directive'` is not. A flow that is completed, or has all its required data, is
 * open only if it is reentrant.
 */
function isOpen({ completed, data, flow: current }: TurnDraft, flow: Flow): boolean {
  if (flow.id === current?.id) return true;
  const { entry, reentrant, requiredFields } = flow;
  if (entry === 'directive') return false;
  return (
    reentrant || (!completed.has(flow.id) && !(requiredFields.length > 0 && hasAll(data, requiredFields)))
  );
}

/**
 * The flow with the best score, with a bonus for partly filled flows. The current flow is kept unless another one is better by
 * the agent's margin.
 */
function chooseFlow(
  { agent, data, flow: current }: Pick<TurnDraft, 'agent' | 'data' | 'flow'>,
  eligible: readonly Flow[],
  scores: JsonObject,
): Flow | undefined {
  const scored = eligible.map((flow) => ({ flow, score: scoreOf(flow, scores) + bonusOf(flow, data) }));
  if (scored.length === 0) return undefined;
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  const stay = scored.find(({ flow }) => flow.id === current?.id);
  if (!stay) return best.flow;
  const isBetter = best.score > stay.score && best.score >= stay.score + agent.flowSwitchMargin;
  return isBetter ? best.flow : stay.flow;
}

function scoreOf({ id }: Flow, scores: JsonObject): number {
  const score = ownMember(scores, id);
  return typeof score === 'number' ? Math.min(100, Math.max(0, score)) : 0;
}

function bonusOf({ requiredFields }: Flow, data: JsonObject): number {
  const missing = missingIn(data, requiredFields).length;
  return missing === 0 ? 0 : PROGRESS_WEIGHT * (1 - missing / requiredFields.length);
}

/** The schema of the router's extras: one of those of the flows. The prompt asks for those of the flow with the best score. */
function extrasSchema(eligible: readonly Flow[]): JsonObject | undefined {
  const schemas = eligible.flatMap(({ routingExtrasSchema: one }) => (one ? [one] : []));
  const at = (index: number) => `/properties/routingExtras/anyOf/${index}`;
  if (schemas.length === 0) return undefined;
  return { anyOf: [...schemas.map((schema, index) => embedded(schema, at(index))), { type: 'null' }] };
}

function routeSchema(
  eligible: readonly Flow[],
  following: readonly Step[],
  { completed }: Judged,
): JsonObject {
  const extras = extrasSchema(eligible);
  const steps = following.map(({ id }) => id);
  const ids = eligible.map(({ id }) => id);
  const score = { type: 'number', minimum: 0, maximum: 100 };
  const hasSteps = steps.length > 0;
  const members = {
    intent: { type: 'string' },
    scores: closedSchema(Object.fromEntries(ids.map((id) => [id, score])), ids),
    ...(hasSteps && {
      selectedStepId: { type: 'string', enum: steps },
      stepReasoning: { type: 'string' },
    }),
    responseDirectives: { type: 'array', items: { type: 'string' } },
    ...(completed.length > 0 && {
      beginAnew: { type: 'array', items: { type: 'string', enum: completed.map(({ id }) => id) } },
    }),
    ...(extras && { routingExtras: extras }),
  };
  return closedSchema(members, [
    'intent',
    'scores',
    ...(hasSteps ? ['selectedStepId', 'stepReasoning'] : []),
    ...(completed.length > 0 ? ['beginAnew'] : []),
  ]);
}

/** The condition of a flow, as text within its line. */
function whenText({ when }: Flow): string {
  const { wanted, excluded } = sidesOf(when);
  return [
    ...(wanted.length > 0 ? [` (0 unless: ${wanted.join(' OR ')})`] : []),
    ...(excluded.length > 0 ? [` (0 if: ${excluded.join(' OR ')})`] : []),
  ].join('');
}

function routeText(
  eligible: readonly Flow[],
  current: Flow | undefined,
  following: readonly Step[],
  { conditional, completed }: Judged,
): string {
  const flows = eligible.map(
    (flow) => `- ${flow.id}: ${flowText(flow)}${conditional.includes(flow) ? whenText(flow) : ''}`,
  );
  return [
    'Score from 0 to 100 how well each flow fits what the user wants now: 90 and more for an explicit request, 70 to 89 for a ' +
      'strong sign, 50 to 69 for a moderate one, 30 to 49 for a weak one, less for none.',
    flows.join('\n'),
    ...(current ? [`The conversation is in the flow ${current.id}.`] : []),
    ...(following.length > 0
      ? ['`selectedStepId` is the step that comes next where the flow is kept:', ...following.map(stepLine)]
      : []),
    ...(completed.length > 0 ? [beginAnewText(completed)] : []),
    ...(extrasSchema(eligible) ? ['`routingExtras` are those of the flow with the best score.'] : []),
    'Answer with `intent`, one sentence, `scores` by flow, and `responseDirectives`: what the answer should take up.',
  ].join('\n');
}

function beginAnewText(completed: readonly Flow[]): string {
  const ids = completed.map(({ id }) => id).join(', ');
  return `\`beginAnew\` lists those of the completed flows ${ids} that the user asks for again, with a new request; thanks, or a remark about what was done, is none.`;
}
