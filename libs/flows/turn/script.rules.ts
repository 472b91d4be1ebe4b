import type { Completion, ToolResult } from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import type { AssistantTurn, ChatTool } from '#lib/call-rules';
import type { ToolCallAsked, ToolFact } from '#lib/runs/tools/core';
import type { TurnFailure } from './turn-result.js';

/** The purpose of a model call: the name of its JSON Schema on the wire. */
export type Purpose = 'extract' | 'route' | 'condition' | 'signals' | 'respond' | 'choose_step' | 'compact';

/** A question of a turn to the outside. Its id comes from its place in the turn. */
export type Ask =
  | {
      readonly kind: 'model';
      readonly id: string;
      readonly purpose: Purpose;
      readonly schema: JsonObject;
      readonly messages: readonly Json[];
      readonly tools?: readonly ChatTool[];
    }
  | ({
      readonly kind: 'tool';
      readonly id: string;
      /** Absent if none has that id. */
      readonly tool?: ToolFact;
      /** Why it is recorded as failed without a call. */
      readonly refused?: TurnFailure;
    } & ToolCallAsked)
  | { readonly kind: 'function'; readonly id: string; readonly fnName: string; readonly input: Json };

export type ModelAnswer =
  /** `content` is the text of the reply; `reply` the step that it answered; `stopped` why it may be incomplete. */
  | (Omit<AssistantTurn, 'content'> & Pick<Completion, 'content' | 'stopped'> & { readonly reply: string })
  | { readonly failure: { readonly kind: string; readonly message: string } };
/** `changed`: the arguments that a person gave in place of the model's. */
export type ToolAnswer = { readonly result: ToolResult; readonly changed?: JsonObject };
/** The result or failure of a call of a registered function. */
export type FunctionAnswer =
  { readonly result: Json } | { readonly failure: { readonly kind: string; readonly message: string } };

export type Answer = ModelAnswer | FunctionAnswer | ToolAnswer;

/**
 * A computation that asks, and continues with the answers. It may be run from its start again, over all answers so far: it must be
 * deterministic, and keep its state inside. Asks that are made together are open at the same time, and go on together when all are answered.
 */
export type Script<Result> = Generator<readonly Ask[], Result, readonly Answer[]>;

/** Several scripts at the same time: what they ask is open together. */
export function* together<Result>(scripts: readonly Script<Result>[]): Script<readonly Result[]> {
  const steps = scripts.map((script) => ({ script, step: script.next([]) }));
  for (;;) {
    const asks = steps.map(({ step }) => (step.done ? [] : step.value));
    if (asks.every((some) => some.length === 0)) break;
    const answers = yield asks.flat();
    let from = 0;
    for (const [index, one] of steps.entries()) {
      const count = asks[index]?.length ?? 0;
      if (!one.step.done) one.step = one.script.next(answers.slice(from, from + count));
      from += count;
    }
  }
  return steps.map(({ step }) => step.value as Result);
}

/** Two scripts at the same time. */
export function* both<One, Other>(one: Script<One>, other: Script<Other>): Script<readonly [One, Other]> {
  return (yield* together<One | Other>([one, other])) as readonly [One, Other];
}

export function* askModel(ask: Extract<Ask, { kind: 'model' }>): Script<ModelAnswer> {
  const [answer] = yield [ask];
  return answer as ModelAnswer;
}

export function* askFunction(ask: Extract<Ask, { kind: 'function' }>): Script<FunctionAnswer> {
  const [answer] = yield [ask];
  return answer as FunctionAnswer;
}

/** The results of tools, in this order; all are called at the same time. */
export function* askTools(asks: readonly Extract<Ask, { kind: 'tool' }>[]): Script<readonly ToolAnswer[]> {
  return (yield asks) as readonly ToolAnswer[];
}
