import { type Flow, type Step, stepKind } from '../agent/agent-definition.js';
import { hasAll } from '../agent/data.rules.js';
import { type Answered, respond } from './answer.rules.js';
import { acceptable, applyAfter, applyBefore, complete, type Ended } from './apply.rules.js';
import { mergeDirectives, withoutModelParts } from './directive.rules.js';
import { extract } from './extract.rules.js';
import { runHook } from './hooks.rules.js';
import { rendered } from './prompts.rules.js';
import { route } from './route.rules.js';
import { both, type Script } from './script.rules.js';
import { fireSignals } from './signals.rules.js';
import { followingStep, isSatisfied, nextStep } from './steps.rules.js';
import { TurnDraft, TurnFailed } from './turn-draft.rules.js';
import type { TurnGiven } from './turn-given.js';
import type { StoppedReason, TurnFailure, TurnResult } from './turn-result.js';

export type TurnOutcome =
  { readonly result: Omit<TurnResult, 'usage' | 'llmCalls'> } | { readonly failure: TurnFailure };

/** One turn of a conversation, in the fixed order: extraction, pending directive or routing, steps, the answer, what follows it. */
export function* turnScript(given: TurnGiven): Script<TurnOutcome> {
  const turn = new TurnDraft(given);
  try {
    const ended = yield* wholeTurn(turn);
    return { result: turn.result(ended) };
  } catch (error) {
    if (error instanceof TurnFailed) return { failure: error.failure };
    throw error;
  }
}

function* wholeTurn(turn: TurnDraft): Script<Ended> {
  turn.extracted = yield* extract(turn);
  const ended = yield* beforeAnswer(turn);
  return yield* afterAnswer(turn, ended);
}

/** The pending directive, else routing; signals beside it, whose position counts more. */
function* beforeAnswer(turn: TurnDraft): Script<Ended> {
  const { pendingDirective } = turn.given;
  const collects = turn.step?.collect.some((name) => turn.extracted.includes(name)) ?? false;
  const pending = pendingDirective ? [{ source: 'pending directive', directive: pendingDirective }] : [];
  const early = applyBefore(turn, pending);
  if (typeof early === 'object') return early.ended;
  const isRouted = !pendingDirective && !collects;
  const [emitted, routed] = yield* both(fireSignals(turn, 'pre'), isRouted ? route(turn) : unrouted());
  const applied = applyBefore(turn, emitted);
  if (typeof applied === 'object') return applied.ended;
  if (routed && applied === 'stayed') {
    if (routed.flow && routed.flow.id !== turn.flow?.id) turn.enter(routed.flow);
    if (!routed.flow) turn.leave('goto_flow');
  }
  return yield* walk(turn, routed?.responseDirectives ?? []);
}

// oxlint-disable-next-line require-yield -- it asks nothing
function* unrouted(): Script<undefined> {
  return undefined;
}

/** Signals after the answer: where they lead is for the next turn, and what they reply is the message. */
function* afterAnswer(turn: TurnDraft, ended: Ended): Script<Ended> {
  const emitted = acceptable(turn, yield* fireSignals(turn, 'post', ended.message));
  if (emitted.length === 0) return ended;
  const { reply, source, position, dataUpdate, contextUpdate } = mergeDirectives(emitted, 'after');
  if (!turn.updateData(dataUpdate)) return { ...ended, stoppedReason: 'validation_error' };
  turn.updateContext(contextUpdate);
  const placed = position && emitted.findLast((one) => one.source === source)?.directive;
  if (placed) {
    const { reply: _, dataUpdate: _data, contextUpdate: _context, ...target } = withoutModelParts(placed);
    turn.chain.push({ source: source ?? '', directive: target });
    turn.pendingDirective = target;
  }
  return { ...ended, ...(reply !== undefined && { message: reply }) };
}

/** Passes flows and steps until something is said. */
function* walk(turn: TurnDraft, bullets: readonly string[]): Script<Ended> {
  for (;;) {
    const { flow } = turn;
    if (!flow) {
      const stoppedReason = turn.status === 'completed' ? 'completed' : 'needs_input';
      return answered(turn, yield* respond(turn, bullets), stoppedReason);
    }
    const next = yield* nextStep(turn, flow);
    if (next === 'flow-completed') {
      complete(turn, flow);
      continue;
    }
    if (next === 'last-step') return answered(turn, yield* respond(turn, bullets), 'last_step');
    if (next === 'moved') continue;
    if ('ended' in next) return next.ended;
    const { execute: step } = next;
    const wasSatisfied = isSatisfied(turn, step);
    const applied = applyBefore(turn, yield* runHook(turn, step, 'prepare'));
    if (typeof applied === 'object') return applied.ended;
    // What it gave may satisfy the step: then the turn passes it.
    if (applied === 'stayed' && (wasSatisfied || !isSatisfied(turn, step)))
      return yield* execute(turn, flow, step, bullets);
  }
}

/** The one step of the turn that says something, and where the conversation stands after it. */
function* execute(turn: TurnDraft, flow: Flow, step: Step, bullets: readonly string[]): Script<Ended> {
  turn.executedSteps.push({ flowId: flow.id, stepId: step.id, kind: stepKind(step) });
  const said: Answered =
    step.reply === undefined
      ? yield* respond(turn, bullets)
      : { message: rendered(turn, step.reply), emitted: [] };
  const finalized = yield* runHook(turn, step, 'finalize');
  const { message, ...after } = { ...said, ...applyAfter(turn, [...said.emitted, ...finalized]) };
  if (after.stoppedReason) return { message, stoppedReason: after.stoppedReason };
  if (turn.isFlowSatisfied) {
    complete(turn, flow);
    return { message, stoppedReason: 'completed' };
  }
  if (!hasAll(turn.data, step.collect)) return { message, stoppedReason: 'needs_input' };
  const following = yield* followingStep(turn, flow, step);
  if (following !== 'end' && 'directive' in following)
    return { message, stoppedReason: 'needs_input', ...applyAfter(turn, [following]) };
  if (following !== 'end') {
    turn.step = following.step;
    return { message, stoppedReason: 'needs_input' };
  }
  if (flow.requiredFields.length > 0) return { message, stoppedReason: 'last_step' };
  complete(turn, flow);
  return { message, stoppedReason: 'completed' };
}

/** The end of a turn that said something in no step. */
function answered(turn: TurnDraft, { message, emitted }: Answered, stoppedReason: StoppedReason): Ended {
  return { message, stoppedReason, ...applyAfter(turn, emitted) };
}
