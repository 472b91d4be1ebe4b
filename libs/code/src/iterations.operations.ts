import { setImmediate as nextTurn } from 'node:timers/promises';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { IsNumber, IsObject, IsString } from 'class-validator';
import type { ActivityEvent } from '#lib/activity';
import { recordedCalls } from '#lib/calls';
import { type Json, type JsonObject, type RecordedEvent, reject } from '#lib/kernel';
import { Describe, IsId, IsJson, IsListOf, IsWhole, Operation, Optional, refuse } from '#lib/operations';
import { Runs } from '#lib/runs';
import { foldRun, runRejections, type WorkflowStarted } from '#lib/workflow';
import type { CodeState } from './code.state.js';
import { code } from './code.workflow.js';
import type { Iteration } from './iteration.rules.js';
import { shownVariables } from './shown-variables.rules.js';

export class IterationView {
  @IsWhole(1)
  index!: number;

  @Describe('As the model wrote it; absent until it has')
  @Optional()
  @IsString()
  code?: string;

  @Describe('`{ type, … }`: see `docs/code.md`')
  @IsObject()
  status!: JsonObject;

  @Describe('At the end of the code, with those of the iterations before; long ones as a preview')
  @IsObject()
  variables!: JsonObject;

  @Describe('Comments, logs, yields, in the order of the program')
  @IsJson()
  traces!: Json;

  @Optional()
  @IsString()
  llmCallId?: string;

  @Describe('From the reply to the end')
  @IsNumber()
  durationMs!: number;
}

export class IterationList {
  @IsListOf(IterationView)
  items!: readonly IterationView[];
}

@Operation({
  summary: 'The programs that a run of code has run: how each ended, its traces, its variables',
  http: 'GET /v1/runs/:runId/iterations',
  cli: 'run iterations <runId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: IterationList },
})
export class ListIterations extends Query<IterationList> {
  @IsId(runRejections.unknownRun)
  runId!: string;
}

@QueryHandler(ListIterations)
export class ListIterationsHandler implements IQueryHandler<ListIterations> {
  constructor(private readonly runs: Runs) {}

  async execute({ runId }: ListIterations): Promise<IterationList> {
    const history = await this.runs.history(runId);
    const [start] = history as readonly RecordedEvent<WorkflowStarted>[];
    const rules = start?.data.workflow === code.name ? code.versions[start.data.version] : undefined;
    if (!rules) return refuse(notOfCode(runId));
    const { iterations } = foldRun<CodeState>(rules, recordedCalls, history).state;
    const items: IterationView[] = [];
    for (const one of iterations) {
      // Each may take some 10 ms: its variables are read as trees.
      await nextTurn();
      items.push(viewOf(one, history as readonly RecordedEvent<ActivityEvent>[]));
    }
    return { items };
  }
}

function viewOf(
  { variablesIn, ...iteration }: Iteration,
  history: readonly RecordedEvent<ActivityEvent>[],
): IterationView {
  const slice = history.find(({ type, data }) => type === 'SandboxCompleted' && data.stepId === variablesIn);
  return {
    ...(iteration as Omit<Iteration, 'variablesIn'> & { readonly status: JsonObject }),
    traces: [...iteration.traces],
    variables: shownVariables(slice?.data['variables']),
  };
}

function notOfCode(runId: string) {
  return reject('refused', 'not-code', {
    errorClass: 'NotCode',
    what: `run ${runId}`,
    why: 'it is of another workflow, which has no iterations',
    fix: 'Use a run of the workflow code',
  });
}
