import { closedSchema } from '#lib/json-schema';
import {
  escapePointerToken,
  isJsonObject,
  type Json,
  type JsonObject,
  ownMember,
  present,
} from '#lib/kernel';
import type { Signal } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { allHold, conditionText, those } from './conditions.rules.js';
import type { Emitted } from './directive.rules.js';
import { embedded, fitting } from './embedded-schema.rules.js';
import { askHook } from './hooks.rules.js';
import { modelAsk } from './question.rules.js';
import { readDirective } from './read-directive.rules.js';
import { readObject } from './reply.rules.js';
import type { Steps } from '#lib/workflow';
import type { FunctionAnswer, ModelAnswer } from './asks.js';
import { together } from './together.script.js';
import type { TurnDraft } from './turn-draft.rules.js';

interface Match {
  readonly signal: Signal;
  readonly reason: string;
  readonly extracted?: Json;
}

/**
 * Fires the matching signals of a phase, by priority. Without signals no call is made.
 * @param said the agent's message, in the phase after the answer
 * @returns the directives of their handlers
 */
export function* fireSignals(
  turn: TurnDraft,
  phase: 'pre' | 'post',
  said?: string,
): Steps<readonly Emitted[]> {
  const open = turn.agent.signals.filter((signal) => isOpen(turn, signal, phase));
  const possible = yield* those(open, (signal) => allHold(turn, signal.if));
  const matches = yield* judged(turn, possible, said);
  const emitted: Emitted[] = [];
  for (const match of matches.toSorted((a, b) => b.signal.priority - a.signal.priority)) {
    const { directive, stopsOthers, handlerError } = yield* handled(turn, match, phase);
    const { signal, reason, extracted } = match;
    turn.triggeredSignals.push({
      signalId: signal.id,
      phase,
      reason,
      ...present({ extracted, handlerError }),
    });
    if (Object.keys(directive).length > 0) emitted.push({ source: `signal ${signal.id}`, directive });
    if (stopsOthers) break;
  }
  return emitted;
}

function isOpen(turn: TurnDraft, signal: Signal, phase: 'pre' | 'post'): boolean {
  if (!signal.enabled || (signal.phase !== 'both' && signal.phase !== phase)) return false;
  const lastAt = lastFired(turn, signal);
  if (lastAt === undefined || signal.behavior === 'always') return true;
  if (signal.behavior === 'once') return false;
  return Date.parse(turn.given.now) - Date.parse(lastAt) >= (signal.cooldownMs ?? 0);
}

/** A signal whose handler failed has not fired. Up to version 3 only the turns before count. */
function lastFired({ given, version, triggeredSignals }: TurnDraft, { id }: Signal): string | undefined {
  const isFiredNow = triggeredSignals.some((one) => one.signalId === id && one.handlerError === undefined);
  return version > 3 && isFiredNow ? given.now : ownMember(given.signals, id)?.lastAt;
}

/** The matching signals. Those with a `when` or values to extract are sent to the model, in batches at the same time. */
function* judged(
  turn: TurnDraft,
  signals: readonly Signal[],
  said: string | undefined,
): Steps<readonly Match[]> {
  const forModel = signals.filter(({ when, extract }) => when.length > 0 || extract !== undefined);
  const size = turn.agent.signalBatchSize;
  const batches = Array.from({ length: Math.ceil(forModel.length / size) }, (_, index) =>
    forModel.slice(index * size, (index + 1) * size),
  );
  const asks = batches.map((batch) =>
    modelAsk(turn, {
      purpose: 'signals',
      schema: batchSchema(batch),
      section: { name: 'Signals', text: batch.map(signalText).join('\n\n') },
      said,
    }),
  );
  const answers = yield* together(asks.map((ask) => turn.asks.model(ask)));
  const found = new Map(
    batches.flatMap((batch, index) => batch.map((one) => [one.id, answers[index]] as const)),
  );
  return signals.flatMap((signal) => matchOf(turn, signal, found.get(signal.id)));
}

/**
 * A signal without `when` matches with any answer of the model, which then only extracts. A signal with `when` does not match if
 * its batch failed. An extracted value that does not fit is dropped.
 */
function matchOf(turn: TurnDraft, signal: Signal, answer: ModelAnswer | undefined): readonly Match[] {
  const { signals } = (answer && readObject(answer)) ?? {};
  const found = isJsonObject(signals) ? ownMember(signals, signal.id) : undefined;
  const { matched, reason, extracted: given } = isJsonObject(found) ? found : {};
  if (signal.when.length > 0 && matched !== true) return [];
  const extracted = fitting(turn, signal.extract, given);
  return [{ signal, reason: reasonOf(signal, reason), ...(extracted !== undefined && { extracted }) }];
}

function reasonOf({ when, if: predicates }: Signal, given: Json | undefined): string {
  if (when.length > 0) return typeof given === 'string' ? given : '';
  return predicates.length > 0 ? 'code-only' : 'unconditional';
}

interface Handled {
  readonly directive: Directive;
  readonly stopsOthers: boolean;
  readonly handlerError?: string;
}

function* handled(turn: TurnDraft, match: Match, phase: string): Steps<Handled> {
  const answer = yield* answerOf(turn, match, phase);
  if ('failure' in answer) return { directive: {}, stopsOthers: false, handlerError: answer.failure.message };
  const { result } = answer;
  const isRead = turn.version === 1 || result === null || isJsonObject(result);
  if (!isRead) return { directive: {}, stopsOthers: false, handlerError: 'it is no object' };
  const { stopOtherSignals, replyWith, ...rest } = isJsonObject(result) ? result : {};
  const said = { ...rest, ...(typeof replyWith === 'string' && { reply: replyWith }) };
  const read = readDirective(turn, `signal ${match.signal.id}`, said);
  if ('refused' in read) return { directive: {}, stopsOthers: false, handlerError: read.refused };
  return { directive: read.directive, stopsOthers: stopOtherSignals === true };
}

function* answerOf(
  turn: TurnDraft,
  { signal, reason, extracted }: Match,
  phase: string,
): Steps<FunctionAnswer> {
  const { handler = {} } = signal;
  if (typeof handler === 'object' && !('fn' in handler)) return { result: handler as Json };
  return yield* askHook(turn, handler, {
    signal: signal.id,
    phase,
    reason,
    extracted: extracted ?? null,
    lastUserMessage: turn.given.text,
    triggeredAt: turn.given.now,
  });
}

function signalText({ id, title, description, when, extract }: Signal): string {
  return [
    `Signal ${id}: ${[title, description].filter((part) => part !== undefined).join('. ')}`,
    when.length > 0 ? conditionText(when) : 'It matches.',
    ...(extract ? ['Take `extracted` from the conversation.'] : []),
  ].join('\n');
}

function batchSchema(batch: readonly Signal[]): JsonObject {
  const pointer = (id: string) =>
    `/properties/signals/properties/${escapePointerToken(id)}/properties/extracted/anyOf/0`;
  const one = ({ id, extract }: Signal): JsonObject => {
    const extracted = extract && { anyOf: [embedded(extract, pointer(id)), { type: 'null' }] };
    const members = {
      matched: { type: 'boolean' },
      reason: { type: 'string' },
      ...(extracted && { extracted }),
    };
    return closedSchema(members, Object.keys(members));
  };
  const members = Object.fromEntries(batch.map((signal) => [signal.id, one(signal)]));
  return closedSchema({ signals: closedSchema(members, Object.keys(members)) }, ['signals']);
}
