import { alignmentModel } from './alignment/alignment.read-model.js';
import { exemplarsModel } from './exemplars/exemplars.read-model.js';
import { labelsModel } from './labels/labels.read-model.js';
import { llmCallsModel } from './llm-calls/llm-calls.read-model.js';
import { machinesModel } from './machines/machines.read-model.js';
import { modelCapabilitiesModel } from './model-capabilities/model-capabilities.js';
import { sessionEventsModel } from './session-events/session-events.read-model.js';
import { sessionsModel } from './sessions/sessions.read-model.js';
import { specialistsModel } from './specialists/specialists.read-model.js';
import { webhookCallsModel } from './webhook-calls/webhook-calls.read-model.js';

/** The read models of Redial's own queries, without those of capabilities. The folds of a model see the changes of the models before it. */
export const models = [
  machinesModel,
  specialistsModel,
  sessionsModel,
  sessionEventsModel,
  llmCallsModel,
  webhookCallsModel,
  modelCapabilitiesModel,
  alignmentModel,
  exemplarsModel,
  labelsModel,
] as const;

export type ProjectionName = (typeof models)[number]['name'];
