import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordedCalls } from '#lib/call-rules';
import { changedCopy, copiedIn, ownEvents, StreamHistory } from '#lib/event-store';
import { firstDifference, present, type RecordedEvent } from '#lib/kernel';
import {
  readableHistory,
  verifiedErased,
  type ReplayedLog,
  replayTotals,
  verifyDecisions,
  type Verification,
} from '#lib/runs/runs/core';
import { type Divergence, endOfRun, locationOf, verifyRun } from '#lib/workflow';
import { turn } from '../turn/turn.workflow.js';
import { closing, conversationDecider } from './conversation.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import type { ConversationReplayReport } from './conversations.views.js';
import { runsOfFork } from './fork.rules.js';
import { senderOf, turnRequests } from './turn-run.js';

type History = StreamHistory<ConversationEvent>;

/**
 * Verifies a conversation: its own stream by deciding every command again, each turn by its rules, and the recorded results of
 * turns against the ends of their runs. Nothing is written.
 * @returns `undefined` if there is no such conversation
 */
export async function verifyConversation(
  log: ReplayedLog,
  conversationId: string,
): Promise<ConversationReplayReport | undefined> {
  const stream = log.streams.of('conversation', conversationId);
  const own = await readableHistory<ConversationEvent>(log, stream);
  const { events, damage, digest } = own;
  if (events.length === 0 && !damage) return undefined;
  const decided = () => {
    const copied = copiedIn(events);
    const { derived, divergence } = verifyDecisions(conversationDecider, events, copied, digest);
    // The hash covers all copies: without some of them it cannot be compared.
    const changed = events.length < copied ? damage : changedCopy(events);
    return { derived, given: 0, open: false, divergence: changed ?? divergence ?? damage };
  };
  const parts: Verification[] = [verifiedErased(own) ?? decided()];
  const history = new StreamHistory(events);
  // Copied turns are verified with the conversation in which they were taken.
  for (const event of ownEvents(events)) {
    const turnId = turnRequests.askedBy(event);
    if (turnId === undefined) continue;
    parts.push(await verifyTurn(log, history, event, turnId));
    // A turn computes at most its allowance; between turns the process serves other callers.
    await nextTurn();
  }
  return { conversationId, ...replayTotals(parts) };
}

async function verifyTurn(
  log: ReplayedLog,
  conversation: History,
  request: RecordedEvent<ConversationEvent>,
  turnId: string,
): Promise<Verification> {
  const recorded = await readableHistory(log, log.streams.of(turn.name, turnId));
  const erased = verifiedErased(recorded);
  if (erased) return erased;
  const { events, damage, digest } = recorded;
  const used = conversation.upTo(request.revision);
  const { external: given, ...walked } = verifyRun(turn, recordedCalls, events, used, digest);
  const divergence =
    wrongStart(events[0], request, conversation.upTo(request.revision)) ??
    walked.divergence ??
    damage ??
    wrongEnd(conversation, turnId, events);
  return { ...walked, given, ...(divergence && { open: false, divergence }) };
}

/** The start must name the sender of the message as the person (before 0.3 it names none), and in a fork its effects. */
function wrongStart(
  start: RecordedEvent | undefined,
  request: RecordedEvent<ConversationEvent>,
  { events }: History,
): Divergence | undefined {
  if (!start) return undefined;
  const { by, fork } = start.data as { readonly by?: string; readonly fork?: string };
  const recorded = present({ by, fork });
  const [sender, forked] = [senderOf(request), runsOfFork(events)];
  const isBy = by !== undefined && sender !== undefined;
  const replayed = { ...(isBy && { by: sender }), ...forked };
  const difference = firstDifference(recorded, replayed, '/data');
  return difference && { ...locationOf(start), ...difference };
}

/** The recorded result must equal the end of the run. */
function wrongEnd(
  conversation: History,
  turnId: string,
  run: readonly RecordedEvent[],
): Divergence | undefined {
  const taken = conversation.events.find((event) => turnRequests.takenBy(event) === turnId);
  const end = endOfRun(run);
  if (!taken || !end) return undefined;
  const conversationId = '';
  const [expected] = closing({ data: { conversationId, turnId, result: end } });
  const { type, data, stream, revision } = taken;
  const difference = firstDifference({ type, data }, expected, '');
  return difference && { stream, revision, type, ...difference };
}
