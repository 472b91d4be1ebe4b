import type { Flow } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { directiveProblems } from '../agent/directive-problems.rules.js';
import { type Emitted, type Merged, mergeDirectives, withoutModelParts } from './directive.rules.js';
import { directivesAfter, hooksAt } from './hooks.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';
import type { TurnResult } from './turn-result.js';
import { takeUpdates } from './updates.rules.js';

/** The message at the end of a turn, and why the turn stops. */
export type Ended = Pick<TurnResult, 'message' | 'stoppedReason'>;

/**
 * Leaves a flow that is complete, for what follows it if something does.
 * @returns the reason, and what is said in place of the model's message, if `onComplete` says so
 */
export function* complete(turn: TurnDraft, { id, hooks }: Flow): Steps<Partial<Ended>> {
  const emitted = yield* directivesAfter(turn, hooksAt([hooks?.onComplete, `onComplete of ${id}`]));
  turn.leave('completed');
  const { stoppedReason, ...said } = yield* applyAfter(turn, emitted);
  if (!turn.flow && turn.status === 'open') turn.status = 'completed';
  const isOver = stoppedReason === 'aborted' || stoppedReason === 'validation_error';
  return { ...said, stoppedReason: isOver ? stoppedReason : 'completed' };
}

/** The effect of the directives before the model: `stayed` if none that was accepted has a position. */
export type Applied = { readonly ended: Ended } | 'moved' | 'stayed';

/** Applies what was emitted before the model. */
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
 * Applies what was emitted after the model: where it leads is where the next turn begins.
 * @returns the reason, where it leads somewhere or does not fit, and what is said in place of the model's message
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

/** A directive that names an unknown flow, step or tool is refused and recorded, and the turn continues. */
export function acceptable(turn: TurnDraft, emitted: readonly Emitted[]): readonly Emitted[] {
  const { schema, flows } = turn.agent;
  return emitted.filter(({ source, directive }) => {
    const { dataUpdate: _, ...targets } = directive;
    const scope = { schema, flows, ...(turn.flow && { flow: turn.flow }) };
    const [problem] = Object.keys(targets).length > 0 ? directiveProblems(targets, scope) : [];
    const refused = problem ? `${problem.path} ${problem.message}`.trim() : unknownTool(turn, directive);
    if (refused !== undefined) turn.refuse(source, refused, directive);
    return refused === undefined;
  });
}

/** The versions of tools are those that the turn began with: of the tools that its agent names. */
function unknownTool({ given }: TurnDraft, { injectTools = [] }: Directive): string | undefined {
  const unknown = injectTools.find((id) => !given.tools.some(({ toolId }) => toolId === id));
  return unknown === undefined ? undefined : `/injectTools names no tool of the agent: ${unknown}`;
}

/** Moves to a position. */
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
    const ended = turn.flow ? yield* complete(turn, turn.flow) : {};
    if (position.next && turn.status !== 'aborted') turn.pendingDirective = withoutModelParts(position.next);
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
