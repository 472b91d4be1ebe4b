import type { Json } from '#lib/kernel';
import { ReplayReportBody, is, view, labelMembers, pastPageMembers } from '#lib/operations';
import { AwaitView, RunUsage } from '#lib/runs/runs';
import type { Directive } from '../agent/directive-definition.js';
import { STOPPED_REASONS } from '../turn/turn-result.js';
import { unknownConversation } from './conversation.rejections.js';

export const CONVERSATION_STATUSES = ['open', 'completed', 'aborted'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];
export const TURN_STATUSES = ['running', 'waiting', 'completed', 'failed'] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

/** The input of a list of parts of a conversation. */
export const conversationPageMembers = { conversationId: is.idOf(unknownConversation), ...pastPageMembers };

export class FlowProgress extends view({
  isComplete: is.flag.about('All required fields are present'),
  missing: is.texts.about('Required fields that are not present'),
  share: is.number.about('The share of required fields that are present; 0 if none is required'),
}) {}

export class FlowRef extends view({
  id: is.text,
  title: is.text,
  enteredAt: is.time,
  progress: is.a(FlowProgress),
}) {}

export class StepRef extends view({
  id: is.text,
  description: is.text.optional,
  enteredAt: is.time,
}) {}

export class FlowVisitView extends view({
  flowId: is.text,
  enteredAt: is.time,
  exitedAt: is.time.optional,
  completed: is.flag,
}) {}

export class HistoryEntry extends view({
  role: is.oneOf(['user', 'assistant']),
  content: is.text,
  turnId: is.id,
}) {}

export class ConversationForkedFrom extends view({
  conversationId: is.id,
  turnId: is.id.about('The last turn that both have in common'),
  by: is.text,
  reason: is.text.optional,
}) {}

/** A conversation in a list. */
export class ConversationSummary extends view({
  conversationId: is.id,
  agentName: is.name,
  agentVersion: is.whole(1),
  status: is.oneOf(CONVERSATION_STATUSES).about('How the last turn ended; the next message opens it again'),
  ...labelMembers,
  forkedFrom: is.a(ConversationForkedFrom).about('The parent conversation of a fork').optional,
  createdAt: is.time,
  updatedAt: is.time,
  revision: is.int,
}) {}

/** A conversation: its data, its position, and its messages. */
export class ConversationView extends view(ConversationSummary, {
  agentHash: is.text,
  data: is.object(),
  context: is.object().optional,
  currentFlow: is.a(FlowRef).optional,
  currentStep: is.a(StepRef).optional,
  flowHistory: is.listOf(FlowVisitView),
  pendingDirective: is.object<Directive>().optional.about('Applied first in the next turn'),
  signals: is
    .object<{ readonly triggers: { readonly [signalId: string]: object } }>()
    .about('`triggers`: by id `{ count, firstAt, lastAt, lastReason, lastPhase }`'),
  history: is.listOf(HistoryEntry),
  usage: is.a(RunUsage),
}) {}

export class ExecutedStep extends view({
  flowId: is.text,
  stepId: is.text,
  kind: is.oneOf<string>(['llm', 'auto', 'reply']),
}) {}

export class CalledToolView extends view({
  callId: is.text.about('Unique within the turn'),
  toolId: is.text,
  arguments: is.object().optional.about('Absent if they are long: the tool calls of the run have them'),
  status: is.oneOf(['completed', 'failed']),
}) {}

export class FiredSignalView extends view({
  signalId: is.text,
  phase: is.oneOf(['pre', 'post']),
  reason: is.text.about("The model's, `code-only` or `unconditional`"),
  extracted: is.json().optional,
  handlerError: is.text.optional,
}) {}

export class AppliedInstructionView extends view({
  id: is.text,
  scope: is.oneOf(['global', 'flow', 'step']),
  scopeRef: is.text.optional,
}) {}

export class ChainLinkView extends view({
  source: is.text,
  directive: is.object<Directive>(),
  refused: is.text.optional.about('The reason why it was not applied'),
}) {}

export class TurnFailureView extends view({
  kind: is.text,
  message: is.text,
  upstreamStatus: is.whole().optional.about('The HTTP status with which a provider refused a call'),
}) {}

/** A message of the user and the agent's answer, with the steps to it. `usage` is in tokens and US dollars. */
export class TurnView extends view({
  turnId: is.id,
  status: is.oneOf(TURN_STATUSES),
  awaiting: is
    .listOf(AwaitView)
    .optional.about('The question that a person has to answer before the turn continues'),
  text: is.text.about("The user's message"),
  message: is.text.about("The agent's message"),
  stoppedReason: is.oneOf(STOPPED_REASONS).optional,
  isFlowComplete: is.flag.about('A flow was completed in this turn'),
  failure: is.a(TurnFailureView).optional,
  executedSteps: is.listOf(ExecutedStep),
  toolCalls: is.listOf(CalledToolView),
  appliedInstructions: is.listOf(AppliedInstructionView),
  triggeredSignals: is.listOf(FiredSignalView),
  directiveChain: is.listOf(ChainLinkView),
  dataChanges: is
    .object<{ readonly [name: string]: { readonly from?: Json; readonly to?: Json } }>()
    .about('By name: `{ from?, to? }`'),
  routingExtras: is.json().optional.about("The router's answer by the `routingExtrasSchema` of the flow"),
  output: is
    .json()
    .optional.about("The model's answer by the `responseOutputSchema` of the flow, without its message"),
  usage: is.a(RunUsage),
  llmCalls: is.texts.about('Ids of its calls of models, in order'),
  requestedAt: is.time,
  endedAt: is.time.optional,
}) {}

export class ConversationReplayReport extends view(ReplayReportBody, {
  conversationId: is.id,
  notRecomputed: is
    .whole()
    .optional.about(
      'Events of turns that began in a release without allowances and take more than one: they are taken as recorded',
    ),
}) {}
