import { closedSchema } from '#lib/json-schema';
import type { HistoryMessage } from './turn-given.js';
import { askObject } from './question.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';
import type { Compaction } from './turn-result.js';

/**
 * The compaction at the end of a turn, if the history is longer than the agent allows: the model summarises the turns before the
 * recent ones. Without a summary they are left out.
 */
export function* compacted(turn: TurnDraft, said: string): Steps<Compaction | undefined> {
  const { compaction } = turn.agent;
  const { revisions = [], history, summary, text } = turn.given;
  if (!compaction || turn.isCleared) return undefined;
  const now: readonly HistoryMessage[] = [
    { role: 'user', content: text },
    { role: 'assistant', content: said },
  ];
  const limit = compaction.maxTokens * compaction.threshold;
  const total = tokensOf([...history, ...now]) + (summary ? tokensOf([{ content: summary.text }]) : 0);
  // This turn is the last of the recent ones.
  const kept = Math.ceil(compaction.preserveRecentCount / 2) - 1;
  const earlier = revisions.length - kept;
  // Up to version 3 a history with fewer turns than are kept lost its first ones.
  const older = revisions.slice(0, turn.version > 3 ? Math.max(0, earlier) : earlier);
  const sources = [...(summary ? [summary.revision] : []), ...older];
  if (total <= limit || sources.length === 0 || sources.at(-1) === summary?.revision) return undefined;
  const task = `Summarise the conversation before its last ${2 * (kept + 1)} messages: what was asked, given, promised and decided.`;
  const { summary: found } = yield* askObject(turn, {
    purpose: 'compact',
    schema: closedSchema({ summary: { type: 'string' } }, ['summary']),
    section: { name: 'Summary', text: task },
    said,
  });
  if (typeof found !== 'string' || found === '') return { strategy: 'drop_oldest', sources };
  return { strategy: 'auto_compact', sources, summary: found };
}

/** A common estimate: four characters a token, and four tokens for each message. */
function tokensOf(messages: readonly Pick<HistoryMessage, 'content'>[]): number {
  return messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4) + 4, 0);
}
