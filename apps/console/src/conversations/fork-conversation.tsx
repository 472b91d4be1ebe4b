import type { ConversationView } from '#lib/client';
import { server } from '../data/server.js';
import { ForkButtons } from '../forks/fork-buttons.js';
import { changedOf, forkRequest, type ForkValue, MODEL_FIELDS } from '../forks/fork-value.js';
import type { Field } from '../forms/fields.js';
import { turnsOf } from './turns.js';

const NAMES = MODEL_FIELDS.map(({ name }) => name);

/** A fork after the last shown turn; without a turn there is no place for a fork. */
export function ForkConversation({ conversation }: { readonly conversation: ConversationView }) {
  const { conversationId, history } = conversation;
  const turns = turnsOf(history);
  if (turns.length === 0) return null;
  const at: Field = {
    name: 'turn',
    label: 'After turn',
    kind: 'select',
    isNeeded: true,
    options: turns.map((_, index) => index + 1),
  };
  const begun: ForkValue = { turn: turns.length };
  const fork = async (value: ForkValue) => {
    const { turnId: atTurn } = turns[(value['turn'] as number) - 1] ?? turns[0]!;
    const request = forkRequest(value, changedOf(begun, value, NAMES));
    const forked = await server().forkConversation({ conversationId, atTurn, ...request });
    return `/conversations/${forked.conversationId}`;
  };
  return <ForkButtons at={at} fields={MODEL_FIELDS} begun={begun} fork={fork} />;
}
