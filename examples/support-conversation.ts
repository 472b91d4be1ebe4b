// A support conversation: an agent asks for the number of an order, looks it up with a tool, and answers.
import { defineAgent, type Redial } from 'redial-engine';

// #region agent
const sent: { readonly [order: string]: string } = { 7: '2026-03-02' };

/** `RedialModule.forRoot({ functions })` */
export const functions = {
  find_order: ({ order }: { order: number }) => ({ order, sentOn: sent[order] ?? 'never' }),
};

export const findOrder = {
  toolId: 'find_order',
  description: 'When an order was sent',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  execution: { fnName: 'find_order' },
  policy: { readOnly: true },
};

export const support = defineAgent({
  agentName: 'support',
  model: 'gpt-4o-mini',
  schema: { type: 'object', properties: { order: { type: 'integer' } } },
  flows: [
    {
      id: 'sent',
      title: 'When was my order sent',
      steps: [
        { prompt: 'Ask for the number of the order', collect: ['order'] },
        { prompt: 'Say when the order was sent', tools: ['find_order'] },
      ],
    },
  ],
});
// #endregion

// #region use
/** The visitor is the key of the conversation, so a visitor who comes back continues it. */
export async function say(redial: Redial, visitor: string, text: string): Promise<string | undefined> {
  const { conversationId } = await redial.startConversation({ agentName: 'support', key: visitor });
  const { message } = await redial.sendMessage({ conversationId, text });
  return message;
}
// #endregion
