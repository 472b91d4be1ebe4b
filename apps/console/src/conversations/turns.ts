import type { ConversationView } from '#lib/client';

type Entry = ConversationView['history'][number];

/** The messages of a turn. */
export interface Turn {
  readonly turnId: string;
  readonly said: readonly Pick<Entry, 'role' | 'content'>[];
}

/** The turns of a conversation, oldest first. */
export function turnsOf(history: readonly Entry[]): readonly Turn[] {
  const ids = [...new Set(history.map(({ turnId }) => turnId))];
  return ids.map((id) => ({
    turnId: id,
    said: history.filter(({ turnId }) => turnId === id).map(({ role, content }) => ({ role, content })),
  }));
}
