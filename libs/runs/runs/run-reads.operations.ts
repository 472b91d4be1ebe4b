import { Query } from '@nestjs/cqrs';
import { answeredBy, eventsMembers, input, is, Operation, page, RecordedEventView } from '#lib/operations';
import { numberInKey, type Page, pageOf, pageOfList } from '#lib/read-models';
import { runRejections } from '#lib/workflow';
import { runPageMembers, RunReplayReport, ToolCallView } from './run.views.js';
import { runToolCalls } from './run-tool-calls.js';
import { placeNamed, type Summarized, summarized, wholePage } from '#lib/summaries';
import { verifiedErased } from './replay/readable-history.js';
import { replayTotals } from './replay/replay-report.js';
import { type RunLogEvent, Runs } from './runs.js';

@Operation({
  summary: 'The events of a run, in order',
  http: 'GET /v1/runs/:runId/events',
  cli: 'runs events <runId>',
  access: 'viewer',
  answers: { 200: page(RecordedEventView) },
})
export class ListRunEvents extends input(Query<Page<Summarized<RunLogEvent>>>, {
  runId: is.idOf(runRejections.unknownRun),
  ...eventsMembers,
}) {}

export const ListRunEventsHandler = answeredBy(
  ListRunEvents,
  [Runs],
  async ({ runId, at, event, ...request }, now) => {
    const runs = await now.at(runId, at);
    if (event !== undefined) return wholePage(runs.named(runId, placeNamed(event)), request);
    return pageOf(request, {
      list: `events of run ${runId}`,
      read: (after, limit) => runs.revisions(runId, after === undefined ? 0 : numberInKey(after) + 1, limit),
      keyOf: String,
      toItems: (revisions) => summarized(runs.each(runId, revisions[0], revisions.length), request),
    });
  },
);

@Operation({
  summary: 'The calls of tools in a run, in the order of their requests',
  http: 'GET /v1/runs/:runId/tool-calls',
  cli: 'runs tool-calls <runId>',
  access: 'viewer',
  answers: { 200: page(ToolCallView) },
})
export class ListToolCalls extends input(Query<Page<ToolCallView>>, runPageMembers) {}

export const ListToolCallsHandler = answeredBy(
  ListToolCalls,
  [Runs],
  async ({ runId, at, ...request }, runs) => {
    const calls = runToolCalls(runId, await (await runs.at(runId, at)).history(runId));
    return pageOfList(request, `tool calls of run ${runId}`, calls);
  },
);

@Operation({
  summary: 'Derive a run again from its record, and compare event by event',
  http: 'POST /v1/runs/:runId/replay',
  cli: 'runs replay <runId>',
  access: 'viewer',
  answers: { 200: RunReplayReport },
})
export class ReplayRun extends input(Query<RunReplayReport>, { runId: is.idOf(runRejections.unknownRun) }) {}

export const ReplayRunHandler = answeredBy(ReplayRun, [Runs], async ({ runId }, runs) => {
  const erased = verifiedErased({ events: await runs.history(runId) });
  if (erased) return { runId, recomputed: 0, notRecomputed: 0, ...replayTotals([erased]) };
  const { derived, external, open, divergence, recomputed = 0, notRecomputed = 0 } = await runs.verify(runId);
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
});
