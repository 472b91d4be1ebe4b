import { type Flow, type Step, stepKind } from '../agent/agent-definition.js';
import { hasAll } from '../agent/data.rules.js';
import type { Directive } from '../agent/directive-definition.js';
import { type Answered, respond } from './answer.rules.js';
import type { TurnAsks } from './ask.script.js';
import { acceptable, applyAfter, applyBefore, complete, type Ended } from './apply.rules.js';
import { type Emitted, mergeDirectives, positionOf, withoutModelParts } from './directive.rules.js';
import { compacted } from './compact.rules.js';
import { enterAgent, enterFlow, enterStep, tellExits } from './entering.rules.js';
import { extract } from './extract.rules.js';
import { directivesAfter, hooksAt, objectOf } from './hooks.rules.js';
import { rendered } from './prompts.rules.js';
import { route } from './route.rules.js';
import type { Steps } from '#lib/workflow';
import { together } from './together.script.js';
import { fireSignals } from './signals.rules.js';
import { branchOf, isSatisfied, nextStep, successor } from './steps.rules.js';
import { TurnDraft, TurnFailed } from './turn-draft.rules.js';
import type { TurnGiven } from './turn-given.js';
import type { StoppedReason, TurnFailure, TurnResult } from './turn-result.js';
import type { TurnWork } from './turn-work.rules.js';
import { takeUpdates } from './updates.rules.js';

type TurnOutcome =
  | { readonly result: Omit<TurnResult, 'usage' | 'llmCalls'> }
  | { readonly failure: TurnFailure };

/** One turn of a conversation, in this order: extraction, pending directive or routing, steps, the answer, hooks and signals after it. */
export function* turnScript(given: TurnGiven, work: TurnWork, asks: TurnAsks): Steps<TurnOutcome> {
  const turn = new TurnDraft(given, work, asks);
  try {
    const ended = yield* wholeTurn(turn);
    return { result: turn.result(ended) };
  } catch (error) {
    if (error instanceof TurnFailed) return { failure: error.failure };
    throw error;
  }
}

function* wholeTurn(turn: TurnDraft): Steps<Ended> {
  yield* ownContext(turn);
  const { given, filled } = yield* extract(turn);
  turn.extracted = given;
  const ended = yield* beforeAnswer(turn, filled);
  const last = yield* afterAnswer(turn, ended);
  yield* tellExits(turn);
  turn.compaction = yield* compacted(turn, last.message);
  return last;
}

/** Takes the context of this turn from `beforeRespond`. */
function* ownContext(turn: TurnDraft): Steps<void> {
  const hook = turn.agent.hooks?.beforeRespond;
  if (hook === undefined) return;
  const answer = yield* objectOf(turn, hook, { message: turn.given.text });
  if ('refused' in answer)
    throw new TurnFailed({ kind: 'tool', message: `beforeRespond: ${answer.refused}` });
  turn.context = answer.object ?? turn.context;
}

/**
 * The entry hooks of the agent and the pending directive, else routing. Signals fire beside it, and their position goes before the router's.
 * @param filled the names of the new data: if the step collects one of them, there is no routing
 */
function* beforeAnswer(turn: TurnDraft, filled: readonly string[]): Steps<Ended> {
  const pendingDirective = pendingOf(turn);
  const collects = turn.step?.collect.some((name) => filled.includes(name)) ?? false;
  const pending = pendingDirective ? [{ source: PENDING, directive: pendingDirective }] : [];
  const early = yield* applyBefore(turn, [...(yield* enterAgent(turn)), ...pending]);
  if (typeof early === 'object') return early.ended;
  const isRouted = early === 'stayed' && !collects && (!pendingDirective || isPendingRefused(turn));
  const [emitted, routed] = yield* together([fireSignals(turn, 'pre'), isRouted ? route(turn) : unrouted()]);
  const isDirected = pendingDirective !== undefined && early === 'moved';
  const applied = yield* applyBefore(
    turn,
    isDirected ? emitted.map((one) => behindPending(turn, one)) : emitted,
  );
  if (typeof applied === 'object') return applied.ended;
  if (routed && applied === 'stayed') {
    const isKept = routed.flow?.id === turn.flow?.id;
    if (routed.flow && !isKept) turn.enter(routed.flow);
    if (!routed.flow) turn.leave('goto_flow');
    turn.routedStep = isKept ? routed.step : undefined;
    turn.routingExtras = routed.extras;
  }
  return yield* walk(turn, routed?.responseDirectives ?? []);
}

/**
 * The pending directive; `undefined` if it has no member but `reason`, as after a directive for the model alone. Up to version 3 such a
 * directive kept the router away.
 */
function pendingOf({ version, given: { pendingDirective } }: TurnDraft): Directive | undefined {
  const saysNothing = Object.keys(pendingDirective ?? {}).every((name) => name === 'reason');
  return version > 3 && saysNothing ? undefined : pendingDirective;
}

const PENDING = 'pending directive';

/** A refused pending directive does not skip routing; up to version 3 it did. */
function isPendingRefused({ version, chain }: TurnDraft): boolean {
  return version > 3 && chain.some(({ source, refused }) => source === PENDING && refused !== undefined);
}

/** The position of the pending directive goes before the positions of signals, except an abort. */
function behindPending(turn: TurnDraft, { source, directive }: Emitted): Emitted {
  const position = positionOf(directive);
  if (!position || position.to === 'abort') return { source, directive };
  const { goTo: _, goToStep: _step, complete: _complete, reset: _reset, ...rest } = directive;
  turn.refuse(source, 'The pending directive leads elsewhere.', directive);
  return { source, directive: rest };
}

// oxlint-disable-next-line require-yield -- it asks nothing
function* unrouted(): Steps<undefined> {
  return undefined;
}

/** Fires signals after the answer: their position is for the next turn, and their reply is the message. */
function* afterAnswer(turn: TurnDraft, ended: Ended): Steps<Ended> {
  const emitted = acceptable(turn, yield* fireSignals(turn, 'post', ended.message));
  const merged = mergeDirectives(emitted, 'after');
  if (!(yield* takeUpdates(turn, merged))) return { ...ended, stoppedReason: 'validation_error' };
  const { reply, position } = merged;
  if (position) {
    const { reply: _, dataUpdate: _data, contextUpdate: _context, ...target } = position.directive;
    turn.pendingDirective = withoutModelParts(target);
    turn.chain.push({ source: position.source, directive: turn.pendingDirective });
  }
  return { ...ended, ...(reply !== undefined && { message: reply }) };
}

/** Passes flows and steps up to a message. */
function* walk(turn: TurnDraft, bullets: readonly string[]): Steps<Ended> {
  for (;;) {
    const begun = yield* enterFlow(turn);
    if (typeof begun === 'object') return begun.ended;
    if (begun === 'moved') continue;
    const { flow } = turn;
    if (!flow) {
      const stoppedReason = turn.status === 'completed' ? 'completed' : 'needs_input';
      return yield* answered(turn, yield* respond(turn, bullets), stoppedReason);
    }
    const next = yield* nextStep(turn, flow);
    if (next === 'flow-completed') {
      const { message, stoppedReason = 'completed' } = yield* complete(turn, flow);
      if (message === undefined && stoppedReason === 'completed') continue;
      return { message: message ?? '', stoppedReason };
    }
    if (next === 'last-step') return yield* answered(turn, yield* respond(turn, bullets), 'last_step');
    if (next === 'moved') continue;
    if ('ended' in next) return next.ended;
    const { execute: step } = next;
    const wasSatisfied = isSatisfied(turn, step);
    const applied = yield* enterStep(turn, step);
    if (typeof applied === 'object') return applied.ended;
    // The directives may give the data of the step: then the turn passes it.
    if (applied === 'stayed' && (wasSatisfied || !isSatisfied(turn, step)))
      return yield* execute(turn, flow, step, bullets);
  }
}

/** Executes the one step that gives the message, and moves to the position after it. */
function* execute(turn: TurnDraft, flow: Flow, step: Step, bullets: readonly string[]): Steps<Ended> {
  turn.executedSteps.push({ flowId: flow.id, stepId: step.id, kind: stepKind(step) });
  const said: Answered =
    step.reply === undefined
      ? yield* respond(turn, bullets)
      : { message: rendered(turn, step.reply), emitted: [] };
  const finalize = hooksAt([step.hooks?.finalize, `finalize of ${step.id}`]);
  const emitted = [...said.emitted, ...(yield* directivesAfter(turn, finalize))];
  const after = yield* applyAfter(turn, emitted);
  const follows = after.stoppedReason ? {} : yield* following(turn, flow, step);
  return { message: said.message, stoppedReason: 'needs_input', ...after, ...follows };
}

/** The position after an executed step: completes the flow, takes a branch, or goes to the next step. */
function* following(turn: TurnDraft, flow: Flow, step: Step): Steps<Partial<Ended>> {
  if (turn.isFlowSatisfied) return yield* complete(turn, flow);
  if (!hasAll(turn.data, step.collect)) return {};
  const branch = yield* branchOf(turn, flow, step);
  if (!branch) return yield* goOn(turn, flow, yield* successor(turn, flow, step));
  if ('step' in branch) return yield* goOn(turn, flow, branch.step);
  const after = yield* applyAfter(turn, [branch]);
  if (after.stoppedReason) return after;
  return { ...after, ...(yield* goOn(turn, flow, yield* successor(turn, flow, step))) };
}

/**
 * Moves to the next step, or past the last one. A step without its required data is not reached, except an auto step: without
 * them the next turn fails there.
 */
function* goOn(turn: TurnDraft, flow: Flow, step: Step | undefined): Steps<Partial<Ended>> {
  if (turn.isFlowSatisfied || (!step && flow.requiredFields.length === 0)) return yield* complete(turn, flow);
  if (!step) return { stoppedReason: 'last_step' };
  if (stepKind(step) === 'auto' || hasAll(turn.data, step.requires)) turn.toStep(step);
  return {};
}

/** The end of a turn whose message comes from no step. */
function* answered(
  turn: TurnDraft,
  { message, emitted }: Answered,
  stoppedReason: StoppedReason,
): Steps<Ended> {
  const after = yield* applyAfter(turn, emitted);
  if (after.stoppedReason || !turn.flow || !turn.isFlowSatisfied) return { message, stoppedReason, ...after };
  return { message, ...after, stoppedReason, ...(yield* complete(turn, turn.flow)) };
}
