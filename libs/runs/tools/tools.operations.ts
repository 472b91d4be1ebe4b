import { Command, Query } from '@nestjs/cqrs';
import type { ConversationPart, ToolExecution } from '#lib/call-rules';
import {
  answeredBy,
  CommandWriter,
  currentContext,
  input,
  is,
  markCreated,
  Operation,
  page,
  pageMembers,
  readMembers,
  readsRows,
  readsRowsOf,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { toolDecider, unknownTool } from './tools.decider.js';
import type { ToolPolicy } from './tools.events.js';
import { getTool, listTools, listToolVersions } from './tools.read-model.js';
import { executionSchema, IsToolId, policySchema, sendsSchema, ToolView } from './tools.views.js';

@Operation({
  summary: 'Register a tool, or its next version if it has changed',
  http: 'POST /v1/tools',
  cli: 'tools add <toolId>',
  access: 'operator',
  answers: { 200: ToolView, 201: ToolView },
})
export class RegisterTool extends input(Command<ToolView>, {
  toolId: is.form<string>(IsToolId()),
  description: is.textUpTo(16_384).about('The description of the tool for the model'),
  parameters: is.object().about('JSON Schema of the arguments'),
  result: is.object().optional.about('JSON Schema of the result'),
  execution: is.fitting<ToolExecution>(executionSchema).about('The execution of the tool'),
  policy: is.fitting<ToolPolicy>(policySchema).optional.about('The handling of its calls'),
  sends: is
    .fitting<ConversationPart[]>(sendsSchema)
    .optional.about(
      'The members of a conversation that the webhook gets besides the arguments. Default: none',
    ),
}) {}

export const RegisterToolHandler = answeredBy(
  RegisterTool,
  [CommandWriter],
  async ({ toolId, description, parameters, result, execution, policy = {}, sends }, writer) => {
    const given = { description, parameters, ...(result && { result }), execution, policy };
    const body = { ...given, ...(sends && { sends }) };
    const target = { category: 'tool', id: toolId } as const;
    const command = { type: 'RegisterTool', data: { toolId, ...body } } as const;
    const context = currentContext();
    await writer.bindKey(target, context);
    const { state, events, occurredAt } = await writer.send(toolDecider, target, command, context);
    markCreated(events.length > 0);
    return { toolId, version: state?.version ?? 1, ...body, createdAt: occurredAt };
  },
);

@Operation({
  summary: 'The tools, by id, each in its newest version',
  http: 'GET /v1/tools',
  cli: 'tools list',
  access: 'viewer',
  answers: { 200: page(ToolView) },
})
export class ListTools extends input(Query<Page<ToolView>>, pageMembers) {}

export const ListToolsHandler = readsRows(ListTools, ['tools'], listTools);

@Operation({
  summary: 'A tool',
  http: 'GET /v1/tools/:toolId',
  cli: 'tools show <toolId>',
  access: 'viewer',
  answers: { 200: ToolView },
})
export class GetTool extends input(Query<ToolView>, {
  toolId: is.form<string>(IsToolId(unknownTool)),
  version: is.whole(1).optional.about('Default: the newest'),
  ...readMembers,
}) {}

export const GetToolHandler = readsRowsOf(
  GetTool,
  ({ toolId }) => ['tool', toolId],
  ['tools'],
  async (db, { toolId, version }) => (await getTool(db, toolId, version)) ?? unknownTool(toolId),
);

@Operation({
  summary: 'The versions of a tool, newest first',
  http: 'GET /v1/tools/:toolId/versions',
  cli: 'tools versions <toolId>',
  access: 'viewer',
  answers: { 200: page(ToolView) },
})
export class ListToolVersions extends input(Query<Page<ToolView>>, {
  toolId: is.form<string>(IsToolId(unknownTool)),
  ...pageMembers,
}) {}

export const ListToolVersionsHandler = readsRowsOf(
  ListToolVersions,
  ({ toolId }) => ['tool', toolId],
  ['tools'],
  async (db, { toolId, ...request }) =>
    (await getTool(db, toolId)) ? listToolVersions(db, toolId, request) : unknownTool(toolId),
);
