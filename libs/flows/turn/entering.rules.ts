import type { Step } from '../agent/agent-definition.js';
import { type Applied, applyBefore } from './apply.rules.js';
import type { Emitted } from './directive.rules.js';
import { directivesBefore, hooksAt, tell } from './hooks.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';

/** The directives of the agent's `onEnter` in the first turn. A compacted history is not empty: it keeps the last turn. */
export function* enterAgent(turn: TurnDraft): Steps<readonly Emitted[]> {
  const { agent, given } = turn;
  const onEnter = given.history.length === 0 ? agent.hooks?.onEnter : undefined;
  return yield* directivesBefore(turn, hooksAt([onEnter, 'onEnter of the agent']));
}

/** Calls `onExit` of the left steps and flows, and `onEnter` of a flow that begins. */
export function* enterFlow(turn: TurnDraft): Steps<Applied> {
  yield* tellExits(turn);
  const { flow } = turn;
  if (!flow || turn.enteredFlow === flow) return 'stayed';
  turn.enteredFlow = flow;
  const hooks = hooksAt([flow.hooks?.onEnter, `onEnter of ${flow.id}`]);
  return yield* applyBefore(turn, yield* directivesBefore(turn, hooks));
}

/** Calls `onEnter` of a step that begins, and `prepare`. Their directives are merged. */
export function* enterStep(turn: TurnDraft, step: Step): Steps<Applied> {
  yield* tellExits(turn);
  const { onEnter, prepare } = step.hooks ?? {};
  const begins = turn.enteredStep !== step;
  turn.enteredStep = step;
  const hooks = hooksAt(
    [begins ? onEnter : undefined, `onEnter of ${step.id}`],
    [prepare, `prepare of ${step.id}`],
  );
  return yield* applyBefore(turn, yield* directivesBefore(turn, hooks));
}

/** Calls the pending `onExit` hooks. */
export function* tellExits(turn: TurnDraft): Steps<void> {
  for (const { hook, source, reason } of turn.exits.splice(0))
    yield* tell(turn, [{ hook, source }], { reason });
}
