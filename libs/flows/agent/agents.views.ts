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
  definition: is.a<Agent>(AgentDefinition).about('With the ids and defaults that were left out'),
}) {}

export class DefinedAgent extends view(AgentView, {
  warnings: is
    .listOf<Problem>(ProblemAt)
    .about('Warnings: legal in the definition, and probably not what its author meant'),
}) {}

export class AgentReport extends view({
  valid: is.flag,
  errors: is.listOf<Problem>(ProblemAt),
  errorCount: is.whole().optional.about('How many there are, if not all are listed'),
  warnings: is.listOf<Problem>(ProblemAt),
}) {}
