import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordedCalls } from '#lib/call-rules';
import { changedCopy, copiedIn, ownEvents, StreamHistory } from '#lib/event-store';
import { firstDifference, type RecordedEvent } from '#lib/kernel';
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
 * Verifies a conversation whole: its own stream by deciding every command again, each turn by running its rules again, and that what
 * these ended with is what the conversation took. Nothing is written.
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
    // Copies that cannot all be read have another hash.
    const changed = events.length < copied ? damage : changedCopy(events);
    return { derived, given: 0, open: false, divergence: changed ?? divergence ?? damage };
  };
  const parts: Verification[] = [verifiedErased(own) ?? decided()];
  const history = new StreamHistory(events);
  // Turns that were copied are verified with the conversation in which they were taken.
  for (const event of ownEvents(events)) {
    const turnId = turnRequests.askedBy(event);
    if (turnId === undefined) continue;
    parts.push(await verifyTurn(log, history, event, turnId));
    // A turn takes its allowance at most; between turns the process serves others.
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

/** The person for whom a turn works is the one who sent its message; before 0.3 it does not say so. A turn of a fork has its effects. */
function wrongStart(
  start: RecordedEvent | undefined,
  request: RecordedEvent<ConversationEvent>,
  { events }: History,
): Divergence | undefined {
  if (!start) return undefined;
  const { by, fork } = start.data as { readonly by?: string; readonly fork?: string };
  const recorded = { ...(by !== undefined && { by }), ...(fork !== undefined && { fork }) };
  const [sender, forked] = [senderOf(request), runsOfFork(events)];
  const isBy = by !== undefined && sender !== undefined;
  const replayed = { ...(isBy && { by: sender }), ...forked };
  const difference = firstDifference(recorded, replayed, '/data');
  return difference && { ...locationOf(start), ...difference };
}

/** The conversation must have taken what the turn ended with. */
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
