import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { IsId, Operation, page, PageQuery, pageOrThrow, RecordedEventView } from '#lib/operations';
import { numberInKey, type Page, pageOf, pageOfList } from '#lib/projections';
import { runRejections } from '#lib/workflow';
import { RunReplayReport, ToolCallView } from './run.views.js';
import { runToolCalls } from './run-tool-calls.js';
import { type RunLogEvent, Runs } from './runs.js';

@Operation({
  summary: 'The events of a run, in order, as they are stored',
  http: 'GET /v1/runs/:runId/events',
  cli: 'run events <runId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(RecordedEventView) },
})
export class ListRunEvents extends PageQuery<Page<RunLogEvent>> {
  @IsId(runRejections.unknownRun)
  runId!: string;
}

@QueryHandler(ListRunEvents)
export class ListRunEventsHandler implements IQueryHandler<ListRunEvents> {
  constructor(private readonly runs: Runs) {}

  async execute({ runId, ...request }: ListRunEvents): Promise<Page<RunLogEvent>> {
    const found = await pageOf(request, {
      list: `events of run ${runId}`,
      read: (after, limit) =>
        this.runs.history(runId, { from: after === undefined ? 0 : numberInKey(after) + 1, limit }),
      keyOf: ({ revision }) => String(revision),
      toItems: (events) => events,
    });
    return pageOrThrow(found);
  }
}

@Operation({
  summary: 'The calls of tools in a run, in the order in which they were asked for',
  http: 'GET /v1/runs/:runId/tool-calls',
  cli: 'run tool-calls <runId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(ToolCallView) },
})
export class ListToolCalls extends PageQuery<Page<ToolCallView>> {
  @IsId(runRejections.unknownRun)
  runId!: string;
}

@QueryHandler(ListToolCalls)
export class ListToolCallsHandler implements IQueryHandler<ListToolCalls> {
  constructor(private readonly runs: Runs) {}

  async execute({ runId, ...request }: ListToolCalls): Promise<Page<ToolCallView>> {
    const calls = runToolCalls(runId, await this.runs.history(runId));
    return pageOrThrow(await pageOfList(request, `tool calls of run ${runId}`, calls));
  }
}

@Operation({
  summary: 'Derive a run again from its record, and compare event by event',
  http: 'POST /v1/runs/:runId/replay',
  cli: 'run replay <runId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: RunReplayReport },
})
export class ReplayRun extends Query<RunReplayReport> {
  @IsId(runRejections.unknownRun)
  runId!: string;
}

@QueryHandler(ReplayRun)
export class ReplayRunHandler implements IQueryHandler<ReplayRun> {
  constructor(private readonly runs: Runs) {}

  async execute({ runId }: ReplayRun): Promise<RunReplayReport> {
    const {
      derived,
      external,
      open,
      divergence,
      recomputed = 0,
      notRecomputed = 0,
    } = await this.runs.verify(runId);
    return {
      runId,
      identical: divergence === undefined,
      streamsChecked: 1,
      eventsChecked: derived,
      eventsTaken: external,
      recomputed,
      notRecomputed,
      open: open ? 1 : 0,
      divergences: divergence ? [divergence] : [],
    };
  }
}
