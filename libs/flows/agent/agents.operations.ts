import { Command, Query } from '@nestjs/cqrs';
import { type Activity, ActivityRegistry } from '#lib/workflow';
import { firstProblem, invalidDefinition, isRejection, LISTED_PROBLEMS } from '#lib/kernel';
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
  refuse,
  text,
} from '#lib/operations';
import type { Page, Rows } from '#lib/read-models';
import type { AgentInput } from './agent-definition.js';
import { agentDiagram } from './agent-diagram.rules.js';
import { agentDecider, agentVersion, unknownAgent } from './agents.decider.js';
import { getAgent, listAgents } from './agents.read-model.js';
import { AgentDefinition, AgentReport, AgentView, DefinedAgent } from './agents.views.js';
import { missingFunctions, missingTools } from './missing-parts.js';
import { type AgentInspection, inspectAgent } from './inspect-agent.rules.js';
import { normalizeAgent } from './normalize-agent.rules.js';

@Operation({
  summary: 'Define an agent, or its next version if it has changed',
  http: 'POST /v1/agents',
  cli: 'agents define <agent>',
  access: 'operator',
  answers: { 200: DefinedAgent, 201: DefinedAgent },
})
export class DefineAgent extends input(Command<DefinedAgent>, {
  agent: is.definition<AgentInput>(AgentDefinition).about('An agent definition'),
}) {}

export const DefineAgentHandler = answeredBy(
  DefineAgent,
  [CommandWriter, ActivityRegistry<Activity>],
  async ({ agent }, writer, activities) => {
    const { valid, isMalformed, errors, errorCount, warnings } = await inspectWhole(
      agent,
      activities,
      writer,
    );
    if (!valid)
      return invalidDefinition('agent', isMalformed, errors, {
        why: firstProblem(errors, errorCount),
        fix: 'Correct the listed problems; validating an agent checks it without defining it',
      });
    const definition = normalizeAgent(agent as object as AgentInput);
    const { agentName } = definition;
    const target = { category: 'agent', id: agentName } as const;
    const context = currentContext();
    await writer.bindKey(target, context);
    const command = { type: 'DefineAgent', data: { definition } } as const;
    const { state, events } = await writer.send(agentDecider, target, command, context);
    markCreated(events.some(({ type }) => type === 'AgentDefined'));
    const { version, hash } = agentVersion(state) ?? refuse(unknownAgent(agentName));
    return { agentName, version, hash, definition, warnings };
  },
);

/** Functions and tools are looked up only for an otherwise valid agent: which ones an invalid agent names is not known. */
async function inspectWhole(
  agent: unknown,
  activities: ActivityRegistry,
  writer: CommandWriter,
): Promise<AgentInspection> {
  const inspection = inspectAgent(agent);
  if (!inspection.valid) return inspection;
  const definition = normalizeAgent(agent as AgentInput);
  const errors = [...missingFunctions(definition, activities), ...(await missingTools(definition, writer))];
  return { ...inspection, valid: errors.length === 0, errors: errors.slice(0, LISTED_PROBLEMS) };
}

@Operation({
  summary: 'Check an agent without defining it',
  http: 'POST /v1/agents/validate',
  cli: 'agents validate <agent>',
  access: 'viewer',
  answers: { 200: AgentReport },
})
export class ValidateAgent extends input(Query<AgentReport>, {
  agent: is.definition<AgentInput>(AgentDefinition).about('The value to check as an agent definition'),
}) {}

export const ValidateAgentHandler = answeredBy(
  ValidateAgent,
  [ActivityRegistry<Activity>, CommandWriter],
  async ({ agent }, activities, writer) => {
    const { isMalformed: _, ...report } = await inspectWhole(agent, activities, writer);
    return report;
  },
);

@Operation({
  summary: 'The current version of each agent, by name',
  http: 'GET /v1/agents',
  cli: 'agents list',
  access: 'viewer',
  answers: { 200: page(AgentView) },
})
export class ListAgents extends input(Query<Page<AgentView>>, pageMembers) {}

export const ListAgentsHandler = readsRows(ListAgents, ['agents'], listAgents);

const oneAgentMembers = {
  agentName: is.nameOf(unknownAgent),
  version: is.whole(1).optional.about('Default: the current version'),
  ...readMembers,
};

@Operation({
  summary: 'An agent in one of its versions',
  http: 'GET /v1/agents/:agentName',
  cli: 'agents show <agentName> [version]',
  access: 'viewer',
  answers: { 200: AgentView },
})
export class GetAgent extends input(Query<AgentView>, oneAgentMembers) {}

export const GetAgentHandler = readsRowsOf(GetAgent, agentStream, ['agents'], oneAgent);

@Operation({
  summary: 'The flows of an agent as a Mermaid flowchart',
  http: 'GET /v1/agents/:agentName/diagram',
  cli: 'agents diagram <agentName> [version]',
  access: 'viewer',
  answers: { 200: text('text/vnd.mermaid') },
})
export class GetAgentDiagram extends input(Query<string>, oneAgentMembers) {}

export const GetAgentDiagramHandler = readsRowsOf(
  GetAgentDiagram,
  agentStream,
  ['agents'],
  async (db, query) => {
    const agent = await oneAgent(db, query);
    return isRejection(agent) ? agent : agentDiagram(agent.definition);
  },
);

function agentStream({ agentName }: GetAgent | GetAgentDiagram) {
  return ['agent', agentName] as const;
}

async function oneAgent(db: Rows<'agents'>, { agentName, version }: GetAgent | GetAgentDiagram) {
  return (await getAgent(db, agentName, version)) ?? unknownAgent(agentName, version);
}
