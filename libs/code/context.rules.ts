import { isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';

const CONTEXT = 128_000;
/** A part of the context is kept for the reply. */
const RESERVED = { part: 0.1, atLeast: 1_000, atMost: 16_000 };
/** Tokens of a message besides its content. */
const FRAME = 4;
/** A message of fewer characters is left out rather than cut. */
const SHORTEST = 200;
/** Tokens of the note in place of what is left out. */
const NOTE = 20;
/** A provider's count of more than this many times the estimate counts something other than the text. */
const MOST_FACTOR = 4;

/** By UTF-16 units: with the flag `u` a run of eight million characters exhausts the stack. */
const RUNS = /[A-Za-z0-9]+| +|[\t\n\r]+|[!-~]|[\x80-\uffff]+|[^]/g;

/**
 * About how many tokens a model reads in a text, by the rules that tokenizers share, on the high side. Ordinary text
 * and code come to 0.9 to 1.6 times what the tokenizers of OpenAI count.
 */
export function estimatedTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUNS)) tokens += tokensOfRun(run);
  return Math.ceil(tokens);
}

function tokensOfRun(run: string): number {
  const { length } = run;
  if (/^[A-Za-z]+$/.test(run)) return length <= 20 ? Math.ceil(length / 6) : length / 2;
  if (/^[0-9]+$/.test(run)) return Math.ceil(length / 3);
  if (/^[A-Za-z0-9]+$/.test(run)) return Math.ceil(length * 0.8);
  if (run.startsWith(' ')) return length === 1 ? 0 : Math.ceil(length / 50);
  if (run.charCodeAt(0) < 128) return 1;
  return new TextEncoder().encode(run).length / 2;
}

/** A request that was made. */
export interface Asked {
  readonly messages: readonly Json[];
  /** Tokens of it by the provider; absent if it did not say. */
  readonly counted?: number | undefined;
}

/**
 * The messages as they fit the context. The first, which says what code is and what there is to do, is whole. Of the others the newest
 * have most: each at most half of what is left for it and those before it, unless all fit. Empty ones are left out.
 * @param before the request before: if the provider counted more than the estimate, estimates are raised likewise
 */
export function fittingMessages(
  messages: readonly Json[],
  contextTokens: number = CONTEXT,
  before?: Asked,
): readonly Json[] {
  const [first, ...others] = messages.filter((message) => contentOf(message) !== '');
  if (first === undefined) return [];
  const all = [first, ...others];
  const room = contextTokens - reservedTokens(contextTokens);
  if (mostTokens(all) <= room / MOST_FACTOR) return all;
  const left = room / factorOf(before) - tokensOf(first);
  return [first, ...cutToFit(others, left)];
}

/** How far the estimate was below what was counted; 1 if it was not. */
function factorOf(before: Asked | undefined): number {
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

/** Its beginning and its end, with how much is left out between them. */
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

/** Messages are estimated again in each iteration. */
const estimates = new WeakMap<object, number>();

function tokensOf(message: Json): number {
  if (!isJsonObject(message)) return estimatedTokens(contentOf(message));
  const known = estimates.get(message) ?? FRAME + estimatedTokens(contentOf(message));
  estimates.set(message, known);
  return known;
}

/** No text has more by the estimate. */
function mostTokens(messages: readonly Json[]): number {
  return sum(messages.map((message) => FRAME + 1.5 * contentOf(message).length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
