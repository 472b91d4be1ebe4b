import { ReplayReportBody, is, view, labelMembers, pastPageMembers } from '#lib/operations';
import { type JsonSchema, runRejections } from '#lib/workflow';

export const RUN_STATUSES = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The input of a list of parts of a run. */
export const runPageMembers = { runId: is.idOf(runRejections.unknownRun), ...pastPageMembers };

/** A signal that a run waits for. */
export class AwaitView extends view({
  awaitId: is.text,
  signal: is.text,
  schema: is.json<JsonSchema>().optional.about('JSON Schema of the payload'),
  prompt: is.json().optional.about('Details of the question, from the run'),
  since: is.time,
  dueAt: is.time.optional.about('When the run stops waiting'),
}) {}

export class RunFailure extends view({
  kind: is.text,
  message: is.text,
}) {}

/** The numbers are those of the providers: cached tokens are part of the input, reasoning is part of the output. */
export class RunUsage extends view({
  calls: is.whole().about('Calls of models'),
  inputTokens: is.whole(),
  cachedInputTokens: is.whole(),
  outputTokens: is.whole(),
  reasoningTokens: is.whole(),
  costUSD: is.number.optional.about('Absent if no price is known'),
}) {}

/** The run that was forked. */
export class RunForkedFrom extends view({
  runId: is.id,
  revision: is.whole().about('The last event that both have in common'),
  by: is.text,
  reason: is.text.optional,
}) {}

/** A run in a list: without its input and result, which may be large. */
export class RunSummary extends view({
  runId: is.id,
  workflow: is.name,
  workflowVersion: is.whole(1),
  status: is.oneOf(RUN_STATUSES).about('`waiting`: an await is open, and no call is in flight'),
  failure: is.a(RunFailure).optional,
  awaiting: is.listOf(AwaitView),
  parent: is.id.optional.about('The run that started this one'),
  ...labelMembers,
  forkedFrom: is.a(RunForkedFrom).about('The run that was forked, if this run is a fork').optional,
  usage: is.a(RunUsage),
  createdAt: is.time,
  updatedAt: is.time,
  endedAt: is.time.optional,
  revision: is.int,
}) {}

export class RunView extends view(RunSummary, {
  isInternal: is.flag.optional.about('Only the engine starts, signals, cancels and forks it'),
  input: is.json(),
  result: is.json().optional,
}) {}

export const TOOL_CALL_STATUSES = ['pending', 'awaiting-approval', 'completed', 'failed', 'refused'] as const;

class ToolCallError extends view({
  kind: is.text,
  message: is.text,
}) {}

export class ToolCallView extends view({
  callId: is.text.about('Unique within the run, and the same for every attempt'),
  runId: is.id,
  toolId: is.text,
  toolVersion: is.whole(1).optional.about('Absent for an unknown tool'),
  arguments: is.object().optional.about('The executed arguments; absent if the text holds none'),
  argumentsText: is.text.about('The arguments as the model wrote them'),
  result: is.json().optional,
  error: is.a(ToolCallError).optional,
  approvedBy: is.text.optional,
  status: is.oneOf(TOOL_CALL_STATUSES),
  durationMs: is.number.about('The duration of the last attempt, in milliseconds'),
  requestedAt: is.time,
  completedAt: is.time.optional,
}) {}

export class RunReplayReport extends view(ReplayReportBody, {
  runId: is.id,
  recomputed: is
    .whole()
    .about('Outcomes of programs that were computed again and compared; they count as taken, too'),
  notRecomputed: is
    .whole()
    .about(
      'Outcomes of programs that were taken as they are recorded, because they are of another build, could not be computed here, or took too long',
    ),
}) {}

/** Each token is in one bucket. `reasoning` is a part of `output`. */
export class Tokens extends view({
  inputUncached: is.whole(),
  cacheRead: is.whole(),
  cacheWrite: is.whole(),
  output: is.whole(),
  reasoning: is.whole(),
}) {}
