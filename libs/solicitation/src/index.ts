/**
 * The workflow that gets one proposal from one proposer.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export { failureKind } from './activity-failure.js';
export { buildToolsFromTransitions, type OfferedTransitions } from './build-tools.js';
export { textsIn } from './proposing-workflow.js';
export { type ChatTool, InvalidModelId, type ModelIdParts, parseModelId, splitModelId } from '#lib/models';
export { type Messages, textMessages, toolMessages } from './prompts.js';
export { type Decision, readDecision, type UnreadableDecision } from './read-decision.js';
export { renderTemplate, templateProblem } from './render-template.js';
export {
  machineTemplateWarnings,
  specialistTemplateWarnings,
  templateWarnings,
} from './template-warnings.js';
export * from './solicitation.events.js';
export type { SolicitationState } from './solicitation.state.js';
export { solicitationRequests, solicitationResult } from './solicitation-requests.js';
export { solicitation } from './solicitation.workflow.js';
