import { alignmentProjection } from './alignment/alignment.read-model.js';
import { commandsProjection } from './commands/commands.read-model.js';
import { exemplarsProjection } from './exemplars/exemplars.read-model.js';
import { llmCallsModel } from './llm-calls/llm-calls.read-model.js';
import { machinesProjection } from './machines/machines.read-model.js';
import { modelCapabilitiesModel } from './model-capabilities/model-capabilities.js';
import { sessionEventsProjection } from './session-events/session-events.read-model.js';
import { sessionsModel } from './sessions/sessions.read-model.js';
import { specialistsProjection } from './specialists/specialists.read-model.js';
import { webhookCallsModel } from './webhook-calls/webhook-calls.read-model.js';

/** The projections that Redial's own queries read, besides those of capabilities. */
export const projections = [
  machinesProjection,
  specialistsProjection,
  sessionEventsProjection,
  commandsProjection,
  alignmentProjection,
  exemplarsProjection,
] as const;

/** The read models that Redial's own queries read, besides those of capabilities. */
export const models = [sessionsModel, llmCallsModel, webhookCallsModel, modelCapabilitiesModel] as const;

export type ProjectionName = (typeof projections | typeof models)[number]['name'];
