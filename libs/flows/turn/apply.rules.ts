import type { Flow } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { isJsonObject } from '#lib/kernel';
import { directiveProblems } from '../agent/directive-problems.rules.js';
import { type Emitted, type Merged, mergeDirectives, stepIn, withoutModelParts } from './directive.rules.js';
import { directivesAfter, hooksAt } from './hooks.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';
import type { TurnResult } from './turn-result.js';
import { takeUpdates } from './updates.rules.js';

/** The message of a turn, and the reason why the turn stops. */
export type Ended = Pick<TurnResult, 'message' | 'stoppedReason'>;

/** Leaves a completed flow, and applies its `onComplete`.  @returns the reason, and the reply of `onComplete`, if it has one */
export function* complete(turn: TurnDraft, { id, hooks }: Flow): Steps<Partial<Ended>> {
  const emitted = yield* directivesAfter(turn, hooksAt([hooks?.onComplete, `onComplete of ${id}`]));
  turn.leave('completed');
  const { stoppedReason, ...said } = yield* applyAfter(
    turn,
    emitted.map(({ source, directive }) => ({ source, directive: afterFlow(turn, directive, id) })),
  );
  if (!turn.flow && turn.status === 'open') turn.status = 'completed';
  const isOver = stoppedReason === 'aborted' || stoppedReason === 'validation_error';
  return { ...said, stoppedReason: isOver ? stoppedReason : 'completed' };
}

/** The effect of directives before the model: `stayed` if no accepted directive has a position. */
export type Applied = { readonly ended: Ended } | 'moved' | 'stayed';

/** Applies directives from before the model. */
export function* applyBefore(turn: TurnDraft, emitted: readonly Emitted[]): Steps<Applied> {
  const merged = mergeDirectives(acceptable(turn, emitted), 'before');
  turn.appendPrompt.push(...merged.appendPrompt);
  turn.injectTools.push(...merged.injectTools);
  const { message, stoppedReason } = yield* applied(turn, merged);
  if (stoppedReason === 'validation_error' || stoppedReason === 'aborted')
    return { ended: { message: '', stoppedReason } };
  if (message !== undefined) return { ended: { message, stoppedReason: 'reply' } };
  if (merged.halt) return { ended: { message: '', stoppedReason: 'halt' } };
  return stoppedReason ? 'moved' : 'stayed';
}

/**
 * Applies directives from after the model: their position is where the next turn begins.
 * @returns the reason, if a directive has a position or its data do not fit, and the reply in place of the model's message
 */
export function* applyAfter(turn: TurnDraft, emitted: readonly Emitted[]): Steps<Partial<Ended>> {
  return yield* applied(turn, mergeDirectives(acceptable(turn, emitted), 'after'));
}

function* applied(turn: TurnDraft, merged: Merged): Steps<Partial<Ended>> {
  if (!(yield* takeUpdates(turn, merged))) return { stoppedReason: 'validation_error' };
  if (turn.version > 3) turn.updated = Object.keys(merged.dataUpdate);
  const { reply, position } = merged;
  return { ...(reply !== undefined && { message: reply }), ...(position && (yield* move(turn, position))) };
}

/** The directives without those that name an unknown flow, step or tool: these are recorded as refused. */
export function acceptable(turn: TurnDraft, emitted: readonly Emitted[]): readonly Emitted[] {
  const { schema, flows } = turn.agent;
  return emitted.filter(({ source, directive }) => {
    const { dataUpdate: _, ...targets } = directive;
    const scope = { schema, flows, ...(turn.flow && { flow: turn.flow }) };
    const [problem] = Object.keys(targets).length > 0 ? directiveProblems(targets, scope) : [];
    const refused = problem
      ? `${problem.path} ${problem.message}`.trim()
      : (stepOfNoFlow(turn, directive) ?? unknownTool(turn, directive));
    if (refused !== undefined) turn.refuse(source, refused, directive);
    return refused === undefined;
  });
}

/**
 * The refusal of a directive that names a step without a flow while the conversation is in none. Up to version 3 such a directive was
 * recorded as applied and had no effect.
 */
function stepOfNoFlow({ flow, version }: TurnDraft, { goToStep, reset }: Directive): string | undefined {
  if (flow || version < 4) return undefined;
  const target = stepIn(goToStep);
  const step = target ? target.step : isJsonObject(reset) ? reset.step : undefined;
  if (step === undefined || target?.flow !== undefined) return undefined;
  return `names a step without its flow, and the conversation is in none: ${step}`;
}

/** The directive with the left flow as the flow of its `goToStep`. Up to version 3 the step had no flow, and was not found. */
function afterFlow({ version }: TurnDraft, directive: Directive, flow: string): Directive {
  const target = version > 3 ? stepIn(directive.goToStep) : undefined;
  return target ? { ...directive, goToStep: { flow, ...target } } : directive;
}

/** Only tools that the agent names are known: the turn began with their versions. */
function unknownTool({ given }: TurnDraft, { injectTools = [] }: Directive): string | undefined {
  const unknown = injectTools.find((id) => !given.tools.some(({ toolId }) => toolId === id));
  return unknown === undefined ? undefined : `/injectTools names no tool of the agent: ${unknown}`;
}

/** Applies a position. */
function* move(turn: TurnDraft, { source, directive }: Emitted): Steps<Partial<Ended>> {
  const position = turn.link(source, withoutModelParts(directive));
  if (position?.to === 'abort') {
    turn.leave('aborted');
    turn.status = 'aborted';
    turn.pendingDirective = undefined;
    if (position.clearSession) clear(turn);
    return { stoppedReason: 'aborted' };
  }
  if (position?.to === 'complete') {
    const { flow } = turn;
    const ended = flow ? yield* complete(turn, flow) : {};
    const next = position.next && withoutModelParts(position.next);
    if (next && turn.status !== 'aborted')
      turn.pendingDirective = flow ? afterFlow(turn, next, flow.id) : next;
    return { stoppedReason: 'completed', ...ended };
  }
  if (position) turn.moveTo(position);
  return { stoppedReason: 'needs_input' };
}

function clear(turn: TurnDraft): void {
  turn.isCleared = true;
  turn.data = { ...turn.agent.initialData };
  turn.completed.clear();
}
