import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordedCalls } from '#lib/call-rules';
import { StreamHistory } from '#lib/event-store';
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
    const { derived, divergence } = verifyDecisions(conversationDecider, events, 0, digest);
    return { derived, given: 0, open: false, divergence: divergence ?? damage };
  };
  const parts: Verification[] = [verifiedErased(own) ?? decided()];
  const history = new StreamHistory(events);
  for (const event of events) {
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
    wrongCreator(events[0], request) ?? walked.divergence ?? damage ?? wrongEnd(conversation, turnId, events);
  return { ...walked, given, ...(divergence && { open: false, divergence }) };
}

/** The person for whom a turn works is the one who sent its message. Before 0.3 it does not say so. */
function wrongCreator(
  start: RecordedEvent | undefined,
  request: RecordedEvent<ConversationEvent>,
): Divergence | undefined {
  const { by: recorded } = (start?.data ?? {}) as { readonly by?: string };
  if (!start || recorded === undefined) return undefined;
  const replayed = senderOf(request);
  return recorded === replayed
    ? undefined
    : { ...locationOf(start), pointer: '/data/by', recorded, replayed };
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
