import type { MemberKind } from '#lib/event-store';
import { isJsonObject, type JsonObject, unstorableValue } from '#lib/kernel';

/** A form that a member may have. JSON has numbers, such as 1e999, that no event can hold. */
interface Form<T> {
  /** For its declaration in events. */
  readonly kind: MemberKind;
  readonly fits: (value: unknown) => value is T;
  /** The words of a value that does not fit. */
  readonly otherwise: string;
}

const text: Form<string> = {
  kind: 'content',
  fits: (value) => typeof value === 'string',
  otherwise: 'is not a text',
};

const object: Form<JsonObject> = {
  kind: 'content',
  fits: (value): value is JsonObject => isJsonObject(value) && unstorableValue(value) === undefined,
  otherwise: 'is not a JSON object, or holds a number that JSON has no text for',
};

const amount: Form<number> = {
  kind: 'structure',
  fits: (value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  otherwise: 'is not a number from 0',
};

// A member is declared here: types, kinds in events, checks of callers, strategies and verdicts, and what a caller's replaces follow; of
// amounts, the fields of operations and views too. Its column is one more place (`decisions.tables.ts`). The order is that in events.

/** The cost of a proposal or a decision: money, time, tokens. `about` is for readers of operations. */
export const spendingMembers = {
  costUSD: { ...amount, about: 'In US dollars' },
  latencyMsec: { ...amount, about: 'Milliseconds that it took' },
  numInputTokens: { ...amount, about: 'Tokens that were sent', isWhole: true },
  numOutputTokens: { ...amount, about: 'Tokens that were received', isWhole: true },
};

/** The members of a choice besides its transition. */
export const statedMembers = { reasoning: text, metaJson: object, ...spendingMembers };

type Declared = { readonly [member: string]: Form<unknown> };
type ValuesOf<Members extends Declared> = {
  readonly [Name in keyof Members]?: Members[Name] extends Form<infer T> ? T : never;
};

/** A member is absent if it is not known. */
export type Spending = ValuesOf<typeof spendingMembers>;

/** From a proposer, or from a caller on behalf of a proposer or an arbiter. A tool call's arguments are in `metaJson`; absent rather than `{}`. */
export type CallerInput = ValuesOf<typeof statedMembers>;
