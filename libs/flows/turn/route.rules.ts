import { closedSchema } from '#lib/json-schema';
import { isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';
import type { Flow, Step } from '../agent/agent-definition.js';
import { hasAll, missingIn } from '../agent/data.rules.js';
import { holds, those } from './conditions.rules.js';
import { embedded, fitting } from './embedded-schema.rules.js';
import { flowText, stepLine } from './prompts.rules.js';
import { askObject } from './question.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';

const PROGRESS_WEIGHT = 20;

/** The router's answer besides the flow. */
export interface Routed {
  readonly flow: Flow | undefined;
  /** The chosen one of the steps that may follow the current one, if the flow is kept. */
  readonly step?: Step | undefined;
  /** As the flow wants them. */
  readonly extras?: Json | undefined;
  /** Points that the message should take up. */
  readonly responseDirectives: readonly string[];
}

/** Asks which flow the conversation is about; of those that are open to it the best one is taken. */
export function* route(turn: TurnDraft): Steps<Routed> {
  const open = turn.agent.flows.filter((flow) => isOpen(turn, flow));
  const eligible = yield* those(open, (flow) => holds(turn, flow));
  if (eligible.length === 0) return { flow: undefined, responseDirectives: [] };
  const following = successorsIn(turn, eligible);
  const { scores, responseDirectives, selectedStepId, routingExtras } = yield* askObject(turn, {
    purpose: 'route',
    schema: routeSchema(eligible, following),
    section: { name: 'Routing', text: routeText(eligible, turn.flow, following) },
  });
  const bullets = Array.isArray(responseDirectives) ? (responseDirectives as readonly Json[]) : [];
  const flow = chooseFlow(turn, eligible, isJsonObject(scores) ? scores : {});
  return {
    flow,
    step: following.find(({ id }) => id === selectedStepId),
    extras: fitting(turn, flow?.routingExtrasSchema, routingExtras),
    responseDirectives: bullets.filter((one): one is string => typeof one === 'string'),
  };
}

/** The steps that may follow the current one, if its flow may be kept. */
function successorsIn({ flow, step }: TurnDraft, eligible: readonly Flow[]): readonly Step[] {
  if (!flow || !eligible.includes(flow)) return [];
  return flow.steps.filter(({ id }) => step?.next.includes(id));
}

/** A flow that is completed, or has all its required data, is open only if it is reentrant or the current one. */
export function isOpen({ completed, data, flow: current }: TurnDraft, flow: Flow): boolean {
  if (flow.reentrant || flow.id === current?.id) return true;
  const { requiredFields } = flow;
  return !completed.has(flow.id) && !(requiredFields.length > 0 && hasAll(data, requiredFields));
}

/**
 * The best score, with a bonus for flows that are partly done. The current flow is kept unless another one is better by the
 * agent's margin.
 */
export function chooseFlow(
  { agent, data, flow: current }: Pick<TurnDraft, 'agent' | 'data' | 'flow'>,
  eligible: readonly Flow[],
  scores: JsonObject,
): Flow | undefined {
  const scored = eligible.map((flow) => ({ flow, score: scoreOf(flow, scores) + bonusOf(flow, data) }));
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

/** Of several flows with extras, the router gives those of the flow that it scores best. */
function extrasSchema(eligible: readonly Flow[]): JsonObject | undefined {
  const schemas = eligible.flatMap(({ routingExtrasSchema: one }) => (one ? [one] : []));
  const at = (index: number) => `/properties/routingExtras/anyOf/${index}`;
  if (schemas.length === 0) return undefined;
  return { anyOf: [...schemas.map((schema, index) => embedded(schema, at(index))), { type: 'null' }] };
}

function routeSchema(eligible: readonly Flow[], following: readonly Step[]): JsonObject {
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
    ...(extras && { routingExtras: extras }),
  };
  return closedSchema(members, [
    'intent',
    'scores',
    ...(hasSteps ? ['selectedStepId', 'stepReasoning'] : []),
  ]);
}

function routeText(eligible: readonly Flow[], current: Flow | undefined, following: readonly Step[]): string {
  const flows = eligible.map((flow) => `- ${flow.id}: ${flowText(flow)}`);
  return [
    'Score from 0 to 100 how well each flow fits what the user wants now: 90 and more for an explicit request, 70 to 89 for a ' +
      'strong sign, 50 to 69 for a moderate one, 30 to 49 for a weak one, less for none.',
    flows.join('\n'),
    ...(current ? [`The conversation is in the flow ${current.id}.`] : []),
    ...(following.length > 0
      ? ['`selectedStepId` is the step that comes next where the flow is kept:', ...following.map(stepLine)]
      : []),
    ...(extrasSchema(eligible) ? ['`routingExtras` are those of the flow with the best score.'] : []),
    'Answer with `intent`, one sentence, `scores` by flow, and `responseDirectives`: what the answer should take up.',
  ].join('\n');
}
