import { Query } from '@nestjs/cqrs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityEvent } from '#lib/workflow';
import { tokenBuckets } from '#lib/call-rules';
import { isRejection, type JsonObject, type RecordedEvent } from '#lib/kernel';
import { answeredBy, input, is, Operation, page, view } from '#lib/operations';
import { type Page, pageOfList } from '#lib/read-models';
import { runPageMembers, Runs, Tokens } from '#lib/runs/runs';
import type { Iteration } from './iteration.rules.js';
import { loadRunOfCode } from './run-of-code.js';
import { shownTrace, shownVariables } from './shown-variables.rules.js';

export class IterationView extends view({
  index: is.whole(1),
  code: is.text.optional.about('The code as the model wrote it; absent until then'),
  status: is.object().about('`{ type, … }`: see `docs/code.md`'),
  variables: is
    .object()
    .about('The variables at the end of the code, with those of earlier iterations; long ones as a preview'),
  traces: is
    .json()
    .about(
      'Comments, logs, yields, writes of properties, and finished calls of tools; long members as a preview',
    ),
  llmCallId: is.text.optional,
  model: is.text.optional.about(
    'The model that replied, its tokens and its cost, over all attempts and models of the iteration',
  ),
  tokens: is.a(Tokens).optional,
  costUSD: is.number.optional,
  durationMs: is.number.about('The time from the reply to the end'),
}) {}

@Operation({
  summary: 'The programs of a run of code, with their ends, traces and variables',
  http: 'GET /v1/runs/:runId/iterations',
  cli: 'runs iterations <runId>',
  access: 'viewer',
  answers: { 200: page(IterationView) },
  problems: [422],
})
export class ListIterations extends input(Query<Page<IterationView>>, runPageMembers) {}

export const ListIterationsHandler = answeredBy(
  ListIterations,
  [Runs],
  async ({ runId, at, ...request }, runs) => {
    const { state, history } = await loadRunOfCode(await runs.at(runId, at), runId);
    const found = await pageOfList(request, `iterations of run ${runId}`, state.iterations);
    return isRejection(found) ? found : { ...found, items: await viewsOf(found.items, history) };
  },
);

async function viewsOf(
  iterations: readonly Iteration[],
  history: readonly RecordedEvent[],
): Promise<readonly IterationView[]> {
  const views: IterationView[] = [];
  for (const one of iterations) {
    // Each view may take some 10 ms, because its variables are read as trees.
    await nextTurn();
    views.push(viewOf(one, history as readonly RecordedEvent<ActivityEvent>[]));
  }
  return views;
}

function viewOf(
  { variablesIn, usage, ...iteration }: Iteration,
  history: readonly RecordedEvent<ActivityEvent>[],
): IterationView {
  const slice = history.find(({ type, data }) => type === 'SandboxCompleted' && data.stepId === variablesIn);
  return {
    ...(iteration as Omit<Iteration, 'variablesIn' | 'usage'> & { readonly status: JsonObject }),
    traces: iteration.traces.map(shownTrace),
    variables: shownVariables(slice?.data['variables']),
    ...(usage && { tokens: tokenBuckets(usage) }),
  };
}
