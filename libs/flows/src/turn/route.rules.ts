import { isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';
import type { Flow } from '../agent/agent-definition.js';
import { missingIn } from '../agent/data.rules.js';
import { thoseThatHold } from './conditions.rules.js';
import { flowText, purposeMessages } from './prompts.rules.js';
import { readObject } from './reply.rules.js';
import { askModel, type Script } from './script.rules.js';
import type { TurnDraft } from './turn-draft.rules.js';

const PROGRESS_WEIGHT = 20;

/** What the router said besides the flow. */
export interface Routed {
  readonly flow: Flow | undefined;
  /** What the answer should take up. */
  readonly responseDirectives: readonly string[];
}

/** Asks which flow the conversation is about; of those that are open to it the best one is taken. */
export function* route(turn: TurnDraft): Script<Routed> {
  const eligible = yield* thoseThatHold(
    turn,
    turn.agent.flows.filter((flow) => isOpen(turn, flow)),
  );
  if (eligible.length === 0) return { flow: undefined, responseDirectives: [] };
  const answer = yield* askModel({
    kind: 'model',
    id: turn.id('route'),
    purpose: 'route',
    schema: routeSchema(eligible),
    messages: purposeMessages(turn, [{ name: 'Routing', text: routeText(eligible, turn.flow) }]),
  });
  const found = readObject(answer) ?? {};
  const { scores, responseDirectives } = found;
  const bullets = Array.isArray(responseDirectives) ? (responseDirectives as readonly Json[]) : [];
  return {
    flow: chooseFlow(turn, eligible, isJsonObject(scores) ? scores : {}),
    responseDirectives: bullets.filter((one): one is string => typeof one === 'string'),
  };
}

/** A completed flow is open again only where it is reentrant; so is one whose required data are all there. */
export function isOpen({ completed, data, flow: current }: TurnDraft, flow: Flow): boolean {
  if (flow.reentrant || flow.id === current?.id) return true;
  const { requiredFields } = flow;
  return (
    !completed.has(flow.id) && !(requiredFields.length > 0 && missingIn(data, requiredFields).length === 0)
  );
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
  if (requiredFields.length === 0) return 0;
  return PROGRESS_WEIGHT * (1 - missingIn(data, requiredFields).length / requiredFields.length);
}

function routeSchema(eligible: readonly Flow[]): JsonObject {
  const ids = eligible.map(({ id }) => id);
  const score = { type: 'number', minimum: 0, maximum: 100 };
  return {
    type: 'object',
    properties: {
      intent: { type: 'string' },
      scores: {
        type: 'object',
        properties: Object.fromEntries(ids.map((id) => [id, score])),
        required: ids,
        additionalProperties: false,
      },
      responseDirectives: { type: 'array', items: { type: 'string' } },
    },
    required: ['intent', 'scores'],
    additionalProperties: false,
  };
}

function routeText(eligible: readonly Flow[], current: Flow | undefined): string {
  const flows = eligible.map((flow) => `- ${flow.id}: ${flowText(flow)}`);
  return [
    'Score from 0 to 100 how well each flow fits what the user wants now: 90 and more for an explicit request, 70 to 89 for a ' +
      'strong sign, 50 to 69 for a moderate one, 30 to 49 for a weak one, less for none.',
    flows.join('\n'),
    ...(current ? [`The conversation is in the flow ${current.id}.`] : []),
    'Answer with `intent`, one sentence, `scores` by flow, and `responseDirectives`: what the answer should take up.',
  ].join('\n');
}
