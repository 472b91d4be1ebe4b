import type { Flow } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { directiveProblems } from '../agent/directive-problems.rules.js';
import { type Emitted, mergeDirectives, sourcesOfData, withoutModelParts } from './directive.rules.js';
import { directivesAfter, hooksAt } from './hooks.rules.js';
import type { Script } from './script.rules.js';
import type { TurnDraft } from './turn-draft.rules.js';
import type { TurnResult } from './turn-result.js';
import { takeContext, takeData } from './updates.rules.js';

/** The message at the end of a turn, and why the turn stops. */
export type Ended = Pick<TurnResult, 'message' | 'stoppedReason'>;

/**
 * Leaves a flow that is complete, for what follows it where something does.
 * @returns what is said in place of the model's message, where `onComplete` says so, and that it aborted
 */
export function* complete(turn: TurnDraft, { id, hooks }: Flow): Script<Partial<Ended>> {
  const emitted = yield* directivesAfter(turn, hooksAt([hooks?.onComplete, `onComplete of ${id}`]));
  turn.leave('completed');
  const accepted = acceptable(turn, emitted);
  const { reply, position, dataUpdate, contextUpdate } = mergeDirectives(accepted, 'after');
  yield* takeData(turn, dataUpdate, sourcesOfData(accepted));
  yield* takeContext(turn, contextUpdate);
  const ended = position && (yield* move(turn, accepted));
  if (!turn.flow && turn.status === 'open') turn.status = 'completed';
  return {
    ...(reply !== undefined && { message: reply }),
    ...(ended === 'aborted' && { stoppedReason: ended }),
  };
}

/** The effect of the directives before the model: `stayed` where none that was accepted has a position. */
export type Applied = { readonly ended: Ended } | 'moved' | 'stayed';

/** Applies what was emitted before the model. */
export function* applyBefore(turn: TurnDraft, emitted: readonly Emitted[]): Script<Applied> {
  const accepted = acceptable(turn, emitted);
  const merged = mergeDirectives(accepted, 'before');
  const { position, reply, halt, dataUpdate, contextUpdate } = merged;
  turn.appendPrompt.push(...merged.appendPrompt);
  turn.injectTools.push(...merged.injectTools);
  if (!(yield* takeData(turn, dataUpdate, sourcesOfData(accepted))))
    return { ended: { message: '', stoppedReason: 'validation_error' } };
  yield* takeContext(turn, contextUpdate);
  if ((yield* move(turn, accepted)) === 'aborted')
    return { ended: { message: '', stoppedReason: 'aborted' } };
  if (reply !== undefined) return { ended: { message: reply, stoppedReason: 'reply' } };
  if (halt) return { ended: { message: '', stoppedReason: 'halt' } };
  return position ? 'moved' : 'stayed';
}

/**
 * Applies what was emitted after the model: where it leads is where the next turn begins.
 * @returns the reason, where it leads somewhere or does not fit, and what is said in place of the model's message
 */
export function* applyAfter(turn: TurnDraft, emitted: readonly Emitted[]): Script<Partial<Ended>> {
  const accepted = acceptable(turn, emitted);
  const { reply, position, dataUpdate, contextUpdate } = mergeDirectives(accepted, 'after');
  if (!(yield* takeData(turn, dataUpdate, sourcesOfData(accepted))))
    return { stoppedReason: 'validation_error' };
  yield* takeContext(turn, contextUpdate);
  const ended = yield* move(turn, accepted);
  return {
    ...(position && { stoppedReason: ended ?? 'needs_input' }),
    ...(reply !== undefined && { message: reply }),
  };
}

/** A directive that names what is not there is refused and recorded, and the turn goes on. */
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

/** Moves to the strongest position. @returns what it ended, where it ended something */
function* move(turn: TurnDraft, emitted: readonly Emitted[]): Script<'aborted' | 'completed' | undefined> {
  const { position, source = '' } = mergeDirectives(emitted, 'after');
  const strongest = emitted.findLast((one) => one.source === source);
  if (!position || !strongest) return undefined;
  turn.link(source, withoutModelParts(strongest.directive));
  if (position.to === 'abort') {
    turn.leave('aborted');
    turn.status = 'aborted';
    if (position.clearSession) clear(turn);
    return 'aborted';
  }
  if (position.to !== 'complete') {
    turn.moveTo(position);
    return undefined;
  }
  if (turn.flow) yield* complete(turn, turn.flow);
  if (position.next) turn.pendingDirective = withoutModelParts(position.next);
  return 'completed';
}

function clear(turn: TurnDraft): void {
  turn.isCleared = true;
  turn.data = { ...turn.agent.initialData };
  turn.completed.clear();
}
