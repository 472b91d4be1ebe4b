import { isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';

const CONTEXT = 128_000;
/** The part of the context that is kept for the reply. */
const RESERVED = { part: 0.1, atLeast: 1_000, atMost: 16_000 };
/** The tokens of a message besides its content. */
const FRAME = 4;
/** A message of fewer characters is left out instead of cut. */
const SHORTEST = 200;
/** The tokens of the note that replaces a cut part. */
const NOTE = 20;
/** If a provider counts more than this many times the estimate, it counts other things than the text. */
const MOST_FACTOR = 4;

/**
 * An estimate of the tokens that a model reads in a text, by the rules that tokenizers share, on the high side. Ordinary text and code come to 0.9 to
 * 1.6 times the count of OpenAI's tokenizers.
 */
export function estimatedTokens(text: string): number {
  let tokens = 0;
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = endOfRun(text, at);
    tokens += tokensOfRun(text.slice(at, end));
  }
  return Math.ceil(tokens);
}

/**
 * The end of a run of characters of one kind. A regular expression would keep a backtracking state for each of them, and exhaust the stack at some
 * millions.
 */
function endOfRun(text: string, start: number): number {
  const kind = kindOf(text.charCodeAt(start));
  let end = start + 1;
  if (kind === 'alone') return end;
  while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1;
  return end;
}

function kindOf(unit: number): 'word' | 'space' | 'break' | 'beyond ASCII' | 'alone' {
  if (unit >= 0x80) return 'beyond ASCII';
  if (isLetter(unit) || isDigit(unit)) return 'word';
  if (unit === 0x20) return 'space';
  return unit === 0x09 || unit === 0x0a || unit === 0x0d ? 'break' : 'alone';
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isLetter(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

function tokensOfRun(run: string): number {
  const { length } = run;
  const kind = kindOf(run.charCodeAt(0));
  if (kind === 'word') return tokensOfWord(run);
  if (kind === 'space') return length === 1 ? 0 : Math.ceil(length / 50);
  return kind === 'beyond ASCII' ? new TextEncoder().encode(run).length / 2 : 1;
}

function tokensOfWord(word: string): number {
  const { length } = word;
  if (!/[0-9]/.test(word)) return length <= 20 ? Math.ceil(length / 6) : length / 2;
  return Math.ceil(/[A-Za-z]/.test(word) ? length * 0.8 : length / 3);
}

/** A request that was made. */
export interface CountedRequest {
  readonly messages: readonly Json[];
  /** The tokens that the provider counted; absent if it did not report them. */
  readonly counted?: number | undefined;
}

/**
 * The messages cut to fit the context. The first message, which explains code and the work, is whole. Of the others, the newest get the largest
 * share: unless all fit, each gets at most half of the room that is left for it and those before it. Empty ones are left out.
 * @param before the previous request: if the provider counted more than the estimate, estimates are raised in proportion
 */
export function fittingMessages(
  messages: readonly Json[],
  contextTokens: number = CONTEXT,
  before?: CountedRequest,
): readonly Json[] {
  const [first, ...others] = messages.filter((message) => contentOf(message) !== '');
  if (first === undefined) return [];
  const all = [first, ...others];
  const room = contextTokens - reservedTokens(contextTokens);
  if (mostTokens(all) <= room / MOST_FACTOR) return all;
  const left = room / factorOf(before) - tokensOf(first);
  return [first, ...cutToFit(others, left)];
}

/** The factor by which the provider's count exceeded the estimate; 1 if it did not. */
function factorOf(before: CountedRequest | undefined): number {
  if (before?.counted === undefined) return 1;
  const estimated = sum(before.messages.map(tokensOf));
  return Math.min(MOST_FACTOR, Math.max(1, before.counted / Math.max(1, estimated)));
}

function reservedTokens(contextTokens: number): number {
  const { part, atLeast, atMost } = RESERVED;
  return Math.min(atMost, Math.max(atLeast, contextTokens * part));
}

function cutToFit(messages: readonly Json[], room: number): readonly Json[] {
  const needs = messages.map(tokensOf);
  let left = room;
  let rest = sum(needs);
  return messages
    .map((message, index) => ({ message, needed: needs[index] ?? 0 }))
    .toReversed()
    .map(({ message, needed }, index) => {
      const isLast = index === messages.length - 1;
      const fitted = rest <= left || needed <= left / 2 ? message : cutTo(message, isLast ? left : left / 2);
      rest -= needed;
      left -= tokensOf(fitted);
      return fitted;
    })
    .toReversed();
}

/** The beginning and the end of a message, with a note of the length of the cut between them. */
function cutTo(message: Json, tokens: number): Json {
  const text = contentOf(message);
  const kept = Math.floor((text.length * (tokens - NOTE)) / tokensOf(message));
  const room = kept < SHORTEST ? 0 : kept;
  const note = `[… ${text.length - room} characters are left out …]`;
  const [head, tail] = [Math.ceil((room * 2) / 3), Math.floor(room / 3)];
  const content = room === 0 ? note : `${text.slice(0, head)}\n${note}\n${text.slice(text.length - tail)}`;
  return { ...(message as JsonObject), content };
}

function contentOf(message: Json): string {
  const content = isJsonObject(message) ? message['content'] : message;
  if (content === null || content === undefined) return '';
  return typeof content === 'string' ? content : jsonText(content);
}

/** Estimates by message, because messages are estimated again in each iteration. */
const estimates = new WeakMap<object, number>();

function tokensOf(message: Json): number {
  if (!isJsonObject(message)) return estimatedTokens(contentOf(message));
  const known = estimates.get(message) ?? FRAME + estimatedTokens(contentOf(message));
  estimates.set(message, known);
  return known;
}

/** An upper bound of the estimate. */
function mostTokens(messages: readonly Json[]): number {
  return sum(messages.map((message) => FRAME + 1.5 * contentOf(message).length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
