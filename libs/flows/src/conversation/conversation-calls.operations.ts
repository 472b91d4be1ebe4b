import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LlmCall } from '#lib/audit';
import { EventLog } from '#lib/event-store';
import { IsId, Operation, page, PageQuery, pageOrThrow, ReadModels } from '#lib/operations';
import { getLlmCall, type Page, pageOf, pageOfList, withBodies } from '#lib/projections';
import { ToolCallView } from '#lib/runs';
import { ConversationCalls } from './conversation-calls.js';
import { unknownConversation } from './conversation.rejections.js';

@Operation({
  summary: 'The calls to models of the turns of a conversation, oldest first',
  http: 'GET /v1/conversations/:conversationId/llm-calls',
  cli: 'conversation calls <conversationId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(LlmCall) },
})
export class ListLlmCallsOfConversation extends PageQuery<Page<LlmCall>> {
  @IsId(unknownConversation)
  conversationId!: string;
}

@QueryHandler(ListLlmCallsOfConversation)
export class ListLlmCallsOfConversationHandler implements IQueryHandler<ListLlmCallsOfConversation> {
  constructor(
    private readonly calls: ConversationCalls,
    private readonly reads: ReadModels,
    private readonly log: EventLog,
  ) {}

  async execute({ conversationId, ...request }: ListLlmCallsOfConversation): Promise<Page<LlmCall>> {
    const ids = await this.calls.llmCallIds(conversationId);
    const found = pageOrThrow(await pageOfList(request, `llm-calls of conversation ${conversationId}`, ids));
    const rows = await this.reads.ask(['llm_calls'], (db) =>
      Promise.all(found.items.map((callId) => getLlmCall(db, callId))),
    );
    return {
      ...found,
      items: await withBodies(
        this.log,
        rows.filter((row) => row !== undefined),
      ),
    };
  }
}

@Operation({
  summary: 'The calls of tools in the turns of a conversation, oldest first',
  http: 'GET /v1/conversations/:conversationId/tool-calls',
  cli: 'conversation tool-calls <conversationId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(ToolCallView) },
})
export class ListToolCallsOfConversation extends PageQuery<Page<ToolCallView>> {
  @IsId(unknownConversation)
  conversationId!: string;
}

@QueryHandler(ListToolCallsOfConversation)
export class ListToolCallsOfConversationHandler implements IQueryHandler<ListToolCallsOfConversation> {
  constructor(private readonly calls: ConversationCalls) {}

  async execute({ conversationId, ...request }: ListToolCallsOfConversation): Promise<Page<ToolCallView>> {
    return pageOrThrow(
      await pageOf(request, {
        list: `tool-calls of conversation ${conversationId}`,
        read: (after, limit) => this.calls.toolCalls(conversationId, after, limit),
        keyOf: ({ runId, callId }) => `${runId}/${callId}`,
        toItems: (items) => items,
      }),
    );
  }
}
