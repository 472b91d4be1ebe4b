import type { Predicate } from '../agent/hook-definition.js';
import { evaluate } from './expression.rules.js';
import { askHook } from './hooks.rules.js';
import { purposeMessages, sidesOf } from './prompts.rules.js';
import { readObject } from './reply.rules.js';
import { askModel, type Script, together } from './script.rules.js';
import type { TurnDraft } from './turn-draft.rules.js';

interface When {
  readonly when: readonly string[];
  readonly if: readonly Predicate[];
}

const RESULT = {
  type: 'object',
  properties: { result: { type: 'boolean' } },
  required: ['result'],
  additionalProperties: false,
};

/** Whether all predicates hold, and then what the model is asked about. A predicate that fails does not hold. */
export function* holds(turn: TurnDraft, { when, if: predicates }: When): Script<boolean> {
  const found = yield* together(predicates.map((one) => predicateHolds(turn, one)));
  if (found.includes(false)) return false;
  return when.length === 0 || (yield* modelSays(turn, when));
}

export function* anyHolds(turn: TurnDraft, predicates: readonly Predicate[]): Script<boolean> {
  return (yield* together(predicates.map((one) => predicateHolds(turn, one)))).includes(true);
}

/** Of these, those that hold; all are judged at the same time. */
export function* thoseThatHold<One extends When>(
  turn: TurnDraft,
  all: readonly One[],
): Script<readonly One[]> {
  const found = yield* together(all.map((one) => holds(turn, one)));
  return all.filter((_, index) => found[index]);
}

/** An expression is evaluated here, a function is asked. */
function* predicateHolds(turn: TurnDraft, predicate: Predicate): Script<boolean> {
  if ('expr' in predicate) return evaluate(predicate.expr, turn.view) === true;
  const answer = yield* askHook(turn, predicate);
  return 'result' in answer && answer.result === true;
}

/** A reply that cannot be read is a no. */
function* modelSays(turn: TurnDraft, when: readonly string[]): Script<boolean> {
  const answer = yield* askModel({
    kind: 'model',
    id: turn.id('condition'),
    purpose: 'condition',
    schema: RESULT,
    messages: purposeMessages(turn, [
      { name: 'Condition', text: `Judge the conversation. Answer with \`result\`.\n${conditionText(when)}` },
    ]),
  });
  return readObject(answer)?.['result'] === true;
}

/** One of the positive ones, where there are any, and none of the exclusions. */
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
