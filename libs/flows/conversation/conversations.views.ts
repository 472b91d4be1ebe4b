import { IsArray, IsBoolean, IsIn, IsInt, IsObject, IsString } from 'class-validator';
import type { Json, JsonObject } from '#lib/kernel';
import {
  Describe,
  IsA,
  IsId,
  IsJson,
  IsListOf,
  IsName,
  IsTime,
  IsWhole,
  Optional,
  ReplayReportBody,
} from '#lib/operations';
import { AwaitView, RunUsage } from '#lib/runs/runs';
import type { Directive } from '../agent/directive-definition.js';
import { STOPPED_REASONS, type StoppedReason } from '../turn/turn-result.js';

export const CONVERSATION_STATUSES = ['open', 'completed', 'aborted'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];
export const TURN_STATUSES = ['running', 'waiting', 'completed', 'failed'] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

export class FlowRef {
  @IsString() id!: string;
  @IsString() title!: string;
  @IsTime() enteredAt!: string;
}

export class StepRef {
  @IsString() id!: string;
  @Optional() @IsString() description?: string;
  @IsTime() enteredAt!: string;
}

export class FlowVisitView {
  @IsString() flowId!: string;
  @IsTime() enteredAt!: string;
  @Optional() @IsTime() exitedAt?: string;
  @IsBoolean() completed!: boolean;
}

export class HistoryEntry {
  @IsIn(['user', 'assistant']) role!: 'user' | 'assistant';
  @IsString() content!: string;
  @IsId() turnId!: string;
}

/** A conversation in a list. */
export class ConversationSummary {
  @IsId() conversationId!: string;
  @IsName() agentName!: string;
  @IsWhole(1) agentVersion!: number;

  @Describe('How the last turn ended; the next message opens it again')
  @IsIn(CONVERSATION_STATUSES)
  status!: ConversationStatus;

  @IsTime() createdAt!: string;
  @IsTime() updatedAt!: string;
  @IsInt() revision!: number;
}

/** A conversation: its data, its position, and its messages. */
export class ConversationView extends ConversationSummary {
  @IsString() agentHash!: string;
  @IsObject() data!: JsonObject;
  @Optional() @IsObject() context?: JsonObject;
  @Optional() @IsA(FlowRef) currentFlow?: FlowRef;
  @Optional() @IsA(StepRef) currentStep?: StepRef;
  @IsListOf(FlowVisitView) flowHistory!: readonly FlowVisitView[];

  @Describe('Applied first in the next turn')
  @Optional()
  @IsObject()
  pendingDirective?: Directive;

  @Describe('`triggers`: by id `{ count, firstAt, lastAt, lastReason, lastPhase }`')
  @IsObject()
  signals!: { readonly triggers: { readonly [signalId: string]: object } };

  @IsListOf(HistoryEntry) history!: readonly HistoryEntry[];
  @IsA(RunUsage) usage!: RunUsage;
}

export class ExecutedStep {
  @IsString() flowId!: string;
  @IsString() stepId!: string;
  @IsIn(['llm', 'auto', 'reply']) kind!: string;
}

export class CalledToolView {
  @Describe('Unique within the turn')
  @IsString()
  callId!: string;

  @IsString() toolId!: string;

  @Describe('Absent if they are long: the tool calls of the run have them')
  @Optional()
  @IsObject()
  arguments?: JsonObject;

  @IsIn(['completed', 'failed']) status!: string;
}

export class FiredSignalView {
  @IsString() signalId!: string;
  @IsIn(['pre', 'post']) phase!: string;

  @Describe("The model's, `code-only` or `unconditional`")
  @IsString()
  reason!: string;

  @Optional() @IsJson() extracted?: Json;
  @Optional() @IsString() handlerError?: string;
}

export class AppliedInstructionView {
  @IsString() id!: string;
  @IsIn(['global', 'flow', 'step']) scope!: string;
  @Optional() @IsString() scopeRef?: string;
}

export class ChainLinkView {
  @IsString() source!: string;
  @IsObject() directive!: Directive;

  @Describe('Why it was not applied')
  @Optional()
  @IsString()
  refused?: string;
}

export class TurnFailureView {
  @IsString() kind!: string;
  @IsString() message!: string;

  @Describe('The HTTP status with which a provider refused a call')
  @Optional()
  @IsWhole()
  upstreamStatus?: number;
}

/** A message of the user, and what the agent did about it. `usage` is in tokens and US dollars. */
export class TurnView {
  @IsId() turnId!: string;
  @IsIn(TURN_STATUSES) status!: TurnStatus;

  @Describe('The question that a person has to answer before the turn goes on')
  @Optional()
  @IsListOf(AwaitView)
  awaiting?: readonly AwaitView[];

  @Describe("The user's message")
  @IsString()
  text!: string;

  @Describe("The agent's message")
  @IsString()
  message!: string;

  @Optional() @IsIn(STOPPED_REASONS) stoppedReason?: StoppedReason;
  @Optional() @IsA(TurnFailureView) failure?: TurnFailureView;
  @IsListOf(ExecutedStep) executedSteps!: readonly ExecutedStep[];
  @IsListOf(CalledToolView) toolCalls!: readonly CalledToolView[];
  @IsListOf(AppliedInstructionView) appliedInstructions!: readonly AppliedInstructionView[];
  @IsListOf(FiredSignalView) triggeredSignals!: readonly FiredSignalView[];
  @IsListOf(ChainLinkView) directiveChain!: readonly ChainLinkView[];

  @Describe('By name: `{ from?, to? }`')
  @IsObject()
  dataChanges!: { readonly [name: string]: { readonly from?: Json; readonly to?: Json } };

  @Describe("The router's answer by the `routingExtrasSchema` of the flow")
  @Optional()
  @IsJson()
  routingExtras?: Json;

  @Describe("The model's answer by the `responseOutputSchema` of the flow, without its message")
  @Optional()
  @IsJson()
  output?: Json;

  @IsA(RunUsage) usage!: RunUsage;

  @Describe('Ids of its calls of models, in order')
  @IsArray()
  @IsString({ each: true })
  llmCalls!: readonly string[];

  @IsTime() requestedAt!: string;
  @Optional() @IsTime() endedAt?: string;
}

export class ConversationReplayReport extends ReplayReportBody {
  @IsId() conversationId!: string;

  @Describe(
    'Events of turns that a release without allowances began and that take more than one: they are taken as they are recorded',
  )
  @Optional()
  @IsWhole()
  notRecomputed?: number;
}
