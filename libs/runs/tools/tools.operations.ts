import { Command } from '@nestjs/cqrs';
import { IsObject, IsString, MaxLength } from 'class-validator';
import type { ConversationPart, ToolExecution } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import {
  answeredBy,
  CommandWriter,
  currentContext,
  Describe,
  Fits,
  IsWhole,
  markCreated,
  Operation,
  Optional,
  page,
  PageQuery,
  readsRows,
  readsRowsOf,
  ReadQuery,
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
export class RegisterTool extends Command<ToolView> {
  @IsToolId() toolId!: string;

  @Describe('The description for the model: what the tool does')
  @IsString()
  @MaxLength(16_384)
  description!: string;

  @Describe('JSON Schema of the arguments')
  @IsObject()
  parameters!: JsonObject;

  @Describe('JSON Schema of the result')
  @Optional()
  @IsObject()
  result?: JsonObject;

  @Describe('How it is executed')
  @Fits(executionSchema)
  execution!: ToolExecution;

  @Describe('How its calls are handled')
  @Optional()
  @Fits(policySchema)
  policy?: ToolPolicy;

  @Describe('The members of a conversation that the webhook gets besides the arguments. Default: none')
  @Optional()
  @Fits(sendsSchema)
  sends?: ConversationPart[];
}

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
export class ListTools extends PageQuery<Page<ToolView>> {}

export const ListToolsHandler = readsRows(ListTools, ['tools'], listTools);

@Operation({
  summary: 'A tool',
  http: 'GET /v1/tools/:toolId',
  cli: 'tools show <toolId>',
  access: 'viewer',
  answers: { 200: ToolView },
})
export class GetTool extends ReadQuery<ToolView> {
  @IsToolId(unknownTool) toolId!: string;

  @Describe('Default: the newest')
  @Optional()
  @IsWhole(1)
  version?: number;
}

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
export class ListToolVersions extends PageQuery<Page<ToolView>> {
  @IsToolId(unknownTool) toolId!: string;
}

export const ListToolVersionsHandler = readsRowsOf(
  ListToolVersions,
  ({ toolId }) => ['tool', toolId],
  ['tools'],
  async (db, { toolId, ...request }) =>
    (await getTool(db, toolId)) ? listToolVersions(db, toolId, request) : unknownTool(toolId),
);
