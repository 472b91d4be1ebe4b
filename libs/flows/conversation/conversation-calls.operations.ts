import { Query } from '@nestjs/cqrs';
import { LlmCall } from '#lib/runs/calls';
import { answeredBy, input, Operation, page } from '#lib/operations';
import { getLlmCall, type Page, pageOf, pageOfList, withBodies } from '#lib/read-models';
import { ToolCallView } from '#lib/runs/runs';
import { ConversationCalls } from './conversation-calls.js';
import { conversationPageMembers } from './conversations.views.js';

@Operation({
  summary: 'The calls to models of the turns of a conversation, oldest first',
  http: 'GET /v1/conversations/:conversationId/llm-calls',
  cli: 'conversations calls <conversationId>',
  access: 'viewer',
  answers: { 200: page(LlmCall) },
})
export class ListLlmCallsOfConversation extends input(Query<Page<LlmCall>>, conversationPageMembers) {}

export const ListLlmCallsOfConversationHandler = answeredBy(
  ListLlmCallsOfConversation,
  [ConversationCalls],
  async ({ conversationId, at, ...request }, calls) => {
    const { log, ask } = await calls.moment(conversationId, at);
    const ids = await calls.over(log).llmCallIds(conversationId);
    return ask(['llm_calls'], (db) =>
      pageOfList(request, `llm-calls of conversation ${conversationId}`, ids, async function* (shown) {
        const rows = await Promise.all(shown.map((callId) => getLlmCall(db, callId)));
        const known = withBodies(
          log,
          rows.filter((row) => row !== undefined),
        );
        // A row that is not written yet has no item.
        for (const row of rows) yield row && ((await known.next()).value as LlmCall);
      }),
    );
  },
);

@Operation({
  summary: 'The calls of tools in the turns of a conversation, oldest first',
  http: 'GET /v1/conversations/:conversationId/tool-calls',
  cli: 'conversations tool-calls <conversationId>',
  access: 'viewer',
  answers: { 200: page(ToolCallView) },
})
export class ListToolCallsOfConversation extends input(Query<Page<ToolCallView>>, conversationPageMembers) {}

export const ListToolCallsOfConversationHandler = answeredBy(
  ListToolCallsOfConversation,
  [ConversationCalls],
  async ({ conversationId, at, ...request }, now) => {
    const calls = now.over((await now.moment(conversationId, at)).log);
    return pageOf(request, {
      list: `tool-calls of conversation ${conversationId}`,
      read: (after, limit) => calls.toolCalls(conversationId, after, limit),
      keyOf: ({ runId, callId }) => `${runId}/${callId}`,
      toItems: (items) => items,
    });
  },
);
