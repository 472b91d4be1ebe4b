import { IsIn, IsInt, IsNumber, IsObject, IsString } from 'class-validator';
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
import type { JsonSchema } from '#lib/workflow';

export const RUN_STATUSES = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A signal that a run waits for. */
export class AwaitView {
  @IsString() awaitId!: string;
  @IsString() signal!: string;

  @Describe('JSON Schema of the payload')
  @Optional()
  @IsJson()
  schema?: JsonSchema;

  @Describe('Details of the question, from the run')
  @Optional()
  @IsJson()
  prompt?: Json;

  @IsTime() since!: string;

  @Describe('When the run stops waiting')
  @Optional()
  @IsTime()
  dueAt?: string;
}

export class RunFailure {
  @IsString() kind!: string;
  @IsString() message!: string;
}

/** As the providers report it: cached tokens are within the input, reasoning is within the output. */
export class RunUsage {
  @Describe('Calls of models')
  @IsWhole()
  calls!: number;

  @IsWhole() inputTokens!: number;
  @IsWhole() cachedInputTokens!: number;
  @IsWhole() outputTokens!: number;
  @IsWhole() reasoningTokens!: number;

  @Describe('Absent if no price was known')
  @Optional()
  @IsNumber()
  costUSD?: number;
}

/** A run in a list: without its input and result, which may be large. */
export class RunSummary {
  @IsId() runId!: string;
  @IsName() workflow!: string;
  @IsWhole(1) workflowVersion!: number;

  @Describe('`waiting`: an await is open, and no call is in flight')
  @IsIn(RUN_STATUSES)
  status!: RunStatus;

  @Optional() @IsA(RunFailure) failure?: RunFailure;
  @IsListOf(AwaitView) awaiting!: readonly AwaitView[];

  @Describe('The run that started this one')
  @Optional()
  @IsId()
  parent?: string;

  @IsA(RunUsage) usage!: RunUsage;
  @IsTime() createdAt!: string;
  @IsTime() updatedAt!: string;
  @Optional() @IsTime() endedAt?: string;
  @IsInt() revision!: number;
}

export class RunView extends RunSummary {
  @IsJson() input!: Json;
  @Optional() @IsJson() result?: Json;
}

export const TOOL_CALL_STATUSES = ['pending', 'awaiting-approval', 'completed', 'failed', 'refused'] as const;

class ToolCallError {
  @IsString() kind!: string;
  @IsString() message!: string;
}

export class ToolCallView {
  @Describe('Unique within the run, and the same for every attempt')
  @IsString()
  callId!: string;

  @IsId() runId!: string;
  @IsString() toolId!: string;

  @Describe('Absent for an unknown tool')
  @Optional()
  @IsWhole(1)
  toolVersion?: number;

  @Describe('As executed; absent if the text holds none')
  @Optional()
  @IsObject()
  arguments?: JsonObject;

  @Describe('As the model wrote them')
  @IsString()
  argumentsText!: string;

  @Optional() @IsJson() result?: Json;
  @Optional() @IsA(ToolCallError) error?: ToolCallError;
  @Optional() @IsString() approvedBy?: string;
  @IsIn(TOOL_CALL_STATUSES) status!: (typeof TOOL_CALL_STATUSES)[number];

  @Describe('The duration of the last attempt, in milliseconds')
  @IsNumber()
  durationMs!: number;

  @IsTime() requestedAt!: string;
  @Optional() @IsTime() completedAt?: string;
}

export class RunReplayReport extends ReplayReportBody {
  @IsId() runId!: string;

  @Describe('Outcomes of programs, out of those taken, that were computed again and compared')
  @IsWhole()
  recomputed!: number;

  @Describe(
    'Outcomes of programs that were not computed again (by another build, not possible here, or out of time): taken as they are recorded',
  )
  @IsWhole()
  notRecomputed!: number;
}

/** Each token in one bucket; `reasoning` is a part of `output`. */
export class Tokens {
  @IsWhole() inputUncached!: number;
  @IsWhole() cacheRead!: number;
  @IsWhole() cacheWrite!: number;
  @IsWhole() output!: number;
  @IsWhole() reasoning!: number;
}
