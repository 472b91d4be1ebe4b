import type { MemberKind } from '#lib/event-store';
import { isJsonObject, type JsonObject, unstorableValue } from '#lib/kernel';

/** The form of a member. JSON has numbers that no event can hold, such as 1e999. */
interface Form<T> {
  /** The kind in the declaration of events. */
  readonly kind: MemberKind;
  readonly fits: (value: unknown) => value is T;
  /** The text about a value of another form. */
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

// The declaration of each member: its type, its kind in events, and the checks of callers, strategies and verdicts follow from
// it; for amounts, the fields of operations and views too. Only its column is separate (`decisions.tables.ts`). The order is that
// in events.

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

/** An unknown member is absent. */
export type Spending = ValuesOf<typeof spendingMembers>;

/**
 * Members from a proposer, or from a caller in place of a proposer's or an arbiter's. A tool call's arguments are in `metaJson`;
 * absent instead of `{}`.
 */
export type CallerInput = ValuesOf<typeof statedMembers>;
