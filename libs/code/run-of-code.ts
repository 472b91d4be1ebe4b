import { recordedCalls } from '#lib/call-rules';
import { type RecordedEvent, reject } from '#lib/kernel';
import { refuse } from '#lib/operations/core';
import type { Runs } from '#lib/runs/runs/core';
import { foldRun, scriptOf, type ScriptState, type WorkflowStarted } from '#lib/workflow';
import type { Coding } from './code.script.js';
import type { CodeState } from './code.state.js';
import { code } from './code.workflow.js';

interface RunOfCode {
  readonly state: CodeState;
  readonly history: readonly RecordedEvent[];
}

/** @throws Refused for a run of another workflow */
export async function loadRunOfCode(runs: Runs, runId: string): Promise<RunOfCode> {
  const history = await runs.history(runId);
  const [start] = history as readonly RecordedEvent<WorkflowStarted>[];
  const rules = start?.data.workflow === code.name ? code.versions[start.data.version] : undefined;
  if (!rules) return refuse(notOfCode(runId));
  const { state } = foldRun<ScriptState<Coding>>(rules, recordedCalls, history);
  return { state: scriptOf(state).state, history };
}

function notOfCode(runId: string) {
  return reject('refused', 'not-code', {
    what: `run ${runId}`,
    why: 'it is of another workflow, which runs no code',
    fix: 'Use a run of the workflow code',
  });
}
