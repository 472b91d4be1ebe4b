import { addSpent, askedModel, type BudgetOfCalls, type Completion, takesTools } from '#lib/call-rules';
import { isEnriched } from '#lib/decisions/machines';
import type { Json } from '#lib/kernel';
import { done, type Steps } from '#lib/workflow';
import { failureKind } from './activity-failure.js';
import { concluded, failed, unreadable } from './conclusion.js';
import { modelQuestion } from './model-question.js';
import { readDecision, uselessReply, uselessText } from './read-decision.js';
import type { SolicitationAsk } from './solicitation.ask.js';
import type { CallRung, LadderStep, SolicitationChoice } from './solicitation.events.js';
import { type AskedVerdict, validateAnswer, validateDecision } from './validate-choice.js';
import { validateToolCall } from './validate-tool-call.js';

/** The consequence of a reply: the end of the run, or another rung. */
type Taken = { readonly end: Json } | { readonly to: CallRung };

interface Reply {
  readonly rung: CallRung;
  readonly completion: Completion;
}

/** Asks a model, on as many rungs as needed. @throws RunFails @throws TemplateTooLarge */
export function* ladder(ask: SolicitationAsk): Steps<Json> {
  for (let rung = firstRung(ask); ;) {
    const completion = yield* replied(ask, rung);
    const taken = yield* afterReply(ask, { rung, completion });
    if ('end' in taken) return taken.end;
    rung = taken.to;
  }
}

function firstRung({
  input: { proposer },
  routes: [model],
  context: { transitions },
}: SolicitationAsk): CallRung {
  if (proposer.kind === 'model' && proposer.modelParameters?.responseFormat) return 'structured';
  const offers = model !== undefined && takesTools(model) && Object.values(transitions).some(isEnriched);
  return offers ? 'tools' : 'text';
}

function* replied(ask: SolicitationAsk, rung: CallRung): Steps<Completion> {
  const { sessionId, roundId, specialistId } = ask.input;
  const seed = `${sessionId} ${roundId} ${specialistId}`;
  const budget = budgetOf(ask);
  const call = { callId: rung, routes: ask.routes, seed, ...(budget && { budget }) };
  const asked = yield* askedModel(call, (route) => modelQuestion(ask, rung, route));
  ask.routes = asked.routes;
  ask.spent = addSpent(ask.spent, asked.spent);
  ask.calls.push(...asked.calls);
  if ('value' in asked) return asked.value.completion;
  const { kind, ...failure } = asked.failed;
  throw failed(ask, { ...failure, kind: failureKind(kind) });
}

function budgetOf({ input }: SolicitationAsk): BudgetOfCalls | undefined {
  const { proposer, sessionId, machineName, specialistId } = input;
  if (proposer.kind !== 'model' || !proposer.budget) return undefined;
  return { ...proposer.budget, sessionId, machineName, specialistId };
}

function* afterReply(ask: SolicitationAsk, reply: Reply): Steps<Taken> {
  const { rung, completion } = reply;
  if (rung === 'text') return yield* textDecided(ask, reply, rung);
  if (rung === 'structured') return yield* structuredDecided(ask, reply);
  if (rung === 'reask' && ask.refused?.rung !== 'tools') return yield* textDecided(ask, reply, rung);
  const useless = uselessReply(completion);
  if (useless) throw failed(ask, useless);
  if (!completion.toolCall) {
    yield* fallBack({ from: rung, to: 'decision', reason: 'no-tool-call' });
    return yield* afterDecision(ask, { rung, completion });
  }
  const { context, version, input } = ask;
  const verdict = validateToolCall({ context, version, proposer: input.proposer }, completion, rung);
  return yield* judged(ask, reply, verdict, rung, 'tools');
}

/** After a provider refused the format, the request was already that of the text rung. */
function* structuredDecided(ask: SolicitationAsk, reply: Reply): Steps<Taken> {
  const { content, stopped } = reply.completion;
  const decision = readDecision(content);
  if (!('unreadable' in decision))
    return yield* judged(ask, reply, validateAnswer(ask, decision), 'structured', 'structured');
  const isLast = ask.routes[0]?.corrected?.['response_format'] !== undefined;
  if (isLast || uselessText(content, stopped)) return yield* textDecided(ask, reply, 'text');
  return yield* down({ from: 'structured', to: 'text', reason: decision.unreadable });
}

/** The text rung is the last one: an unreadable reply is a failure. */
function* textDecided(ask: SolicitationAsk, reply: Reply, rung: 'text' | 'reask'): Steps<Taken> {
  const { content, stopped } = reply.completion;
  const decision = readDecision(content);
  if ('unreadable' in decision) throw failed(ask, uselessText(content, stopped) ?? unreadable(content));
  if (rung === 'reask') return { end: concluded(ask, validateDecision(ask, decision), rung) };
  return yield* judged(ask, reply, validateAnswer(ask, decision), rung, rung);
}

/** The text of a reply without a tool call is read as decision JSON. */
function* afterDecision(ask: SolicitationAsk, reply: Reply): Steps<Taken> {
  const { content } = reply.completion;
  const decision = readDecision(content);
  const isReask = reply.rung === 'reask';
  if ('unreadable' in decision) {
    if (isReask) throw failed(ask, unreadable(content));
    return yield* down({ from: 'decision', to: 'text', reason: decision.unreadable });
  }
  if (isReask) return { end: concluded(ask, validateDecision(ask, decision), 'decision') };
  return yield* judged(ask, reply, validateAnswer(ask, decision), 'decision', 'decision');
}

/** Ends the run, unless the model is asked once more. */
function* judged(
  ask: SolicitationAsk,
  { rung: answered, completion: { content, toolCall: call } }: Reply,
  verdict: AskedVerdict,
  rung: SolicitationChoice['rung'],
  from: LadderStep['from'],
): Steps<Taken> {
  if (!('reask' in verdict)) return { end: concluded(ask, verdict, rung) };
  const { reask } = verdict;
  const errors = reask.argumentErrors;
  if (answered !== 'reask') ask.refused = { rung: answered, content, ...(call && { call }), errors };
  yield* fallBack({ from, to: 'reask', reason: 'invalid-arguments', ...reask });
  return { to: 'reask' };
}

function* down(step: LadderStep & { readonly to: 'text' }): Steps<Taken> {
  yield* fallBack(step);
  return { to: step.to };
}

function* fallBack(data: LadderStep): Steps<void> {
  yield* done({ do: 'record', event: { type: 'FallbackTaken', data } });
}
