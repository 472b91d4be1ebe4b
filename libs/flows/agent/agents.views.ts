import type { Problem } from '#lib/kernel';
import { JsonSchemaOf, ProblemAt, is, view } from '#lib/operations';
import type { Agent } from './agent-definition.js';
import { agentSchema } from './agent-schema.js';

@JsonSchemaOf(agentSchema)
export class AgentDefinition {}

export class AgentView extends view({
  agentName: is.name,
  version: is.whole(1),
  hash: is.text.about('SHA-256 of the definition'),
  definition: is.a<Agent>(AgentDefinition).about('With all ids and defaults'),
}) {}

export class DefinedAgent extends view(AgentView, {
  warnings: is
    .listOf<Problem>(ProblemAt)
    .about('Warnings: the definition is legal, but probably not as its author meant'),
}) {}

export class AgentReport extends view({
  valid: is.flag,
  errors: is.listOf<Problem>(ProblemAt),
  errorCount: is.whole().optional.about('The number of all, if not all are listed'),
  warnings: is.listOf<Problem>(ProblemAt),
}) {}
