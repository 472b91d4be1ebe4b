import { closedSchema } from '#lib/json-schema';
import type { Predicate } from '../agent/hook-definition.js';
import { askHook } from './hooks.rules.js';
import { sidesOf } from './prompts.rules.js';
import { askObject } from './question.rules.js';
import type { Steps } from '#lib/workflow';
import { together } from './together.script.js';
import type { TurnDraft } from './turn-draft.rules.js';

interface When {
  readonly when: readonly string[];
  readonly if: readonly Predicate[];
}

/** Whether all predicates hold, and then whether the model says so of `when`. A failed predicate does not hold. */
export function* holds(turn: TurnDraft, { when, if: predicates }: When): Steps<boolean> {
  if (!(yield* allHold(turn, predicates))) return false;
  return when.length === 0 || (yield* modelSays(turn, when));
}

export function* allHold(turn: TurnDraft, predicates: readonly Predicate[]): Steps<boolean> {
  return !(yield* together(predicates.map((one) => predicateHolds(turn, one)))).includes(false);
}

export function* anyHolds(turn: TurnDraft, predicates: readonly Predicate[]): Steps<boolean> {
  return (yield* together(predicates.map((one) => predicateHolds(turn, one)))).includes(true);
}

/** The elements with a true answer; all are asked at the same time. */
export function* those<One>(all: readonly One[], isSo: (one: One) => Steps<boolean>): Steps<readonly One[]> {
  const found = yield* together(all.map(isSo));
  return all.filter((_, index) => found[index]);
}

/** Evaluates an expression, or calls a function. */
function* predicateHolds(turn: TurnDraft, predicate: Predicate): Steps<boolean> {
  if ('expr' in predicate) return turn.isTrue(predicate.expr);
  const answer = yield* askHook(turn, predicate);
  return 'result' in answer && answer.result === true;
}

/** An unreadable reply counts as false. */
function* modelSays(turn: TurnDraft, when: readonly string[]): Steps<boolean> {
  const text = `Judge the conversation. Answer with \`result\`.\n${conditionText(when)}`;
  const answer = yield* askObject(turn, {
    purpose: 'condition',
    schema: closedSchema({ result: { type: 'boolean' } }, ['result']),
    section: { name: 'Condition', text },
  });
  return answer['result'] === true;
}

/** At least one positive condition, if there are any, and none of the exclusions. */
export function conditionText(when: readonly string[]): string {
  const { wanted, excluded } = sidesOf(when);
  const list = (all: readonly string[]) => all.map((one) => `- ${one}`).join('\n');
  const parts = [
    wanted.length > 0
      ? `The result is true if at least one of these holds:\n${list(wanted)}`
      : 'The result is true.',
    ...(excluded.length > 0 ? [`The result is false if any of these holds:\n${list(excluded)}`] : []),
  ];
  return parts.join('\n');
}
