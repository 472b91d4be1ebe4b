import { below, firstProblem, jsonText, type Problem, reject, type Rejection } from '#lib/kernel';
import type { RunEnd } from './runtime.events.js';
import type { WorkflowRegistry } from './workflow-registry.js';

/** The rejections of the runtime. */
export const runRejections = {
  unknownWorkflow: (name: string, { all }: WorkflowRegistry) =>
    reject('unknown', 'unknown-workflow', {
      what: `workflow ${jsonText(name)}`,
      why: 'no workflow has this name',
      fix: registered(all) ? `Name one of ${registered(all)}` : 'Register it first',
    }),
  invalidInput: (workflow: string, problems: readonly Problem[], pointer = '/input') =>
    reject(
      'refused',
      'invalid-input',
      {
        what: `the ${workflow} was not started`,
        why: `its input does not fit the schema of the workflow: ${firstProblem(below(pointer, problems))}`,
        fix: 'Correct the listed problems',
      },
      below(pointer, problems),
    ),
  unknownRun: (runId: string) =>
    reject('unknown', 'unknown-run', {
      what: `run ${runId}`,
      why: 'no workflow that this process has knows a run with this id',
      fix: 'Use the id that the start answered; for a workflow of an application load the module that registers it, with --import on the command line',
    }),
  internalRun: (runId: string, workflow: string) =>
    reject('refused', 'internal-run', {
      what: `run ${runId}`,
      why: `it is a ${workflow}, which the engine alone signals and cancels`,
      fix: 'Use the operations of the session, conversation or task that the run works for',
    }),
  notRunning: (runId: string) =>
    reject('conflict', 'not-running', {
      what: `run ${runId}`,
      why: 'it has ended, or is asked to end',
      fix: 'Start another run',
    }),
  endedBefore: (runId: string, revision: number) =>
    reject('refused', 'run-ended', {
      what: `a fork of run ${runId} at revision ${revision}`,
      why: 'the run has ended there, or is to be cancelled',
      fix: 'Fork at a revision before its end',
    }),
  otherPast: (runId: string, why: string) =>
    reject('refused', 'other-past', {
      what: `the input of a fork of run ${runId}`,
      why: `with it the run differs from the events before the fork: ${why}`,
      fix: 'Fork at an earlier revision, give another input, or start a run',
    }),
  notAwaited: (runId: string, signal: string) =>
    reject('conflict', 'not-awaited', {
      what: `signal ${jsonText(signal)} of run ${runId}`,
      why: 'no open await waits for it',
      fix: 'Read the run and answer one of the awaits that are open',
    }),
  ambiguous: (runId: string, signal: string, awaitIds: readonly string[]) =>
    reject('conflict', 'ambiguous', {
      what: `signal ${jsonText(signal)} of run ${runId}`,
      why: `several open awaits wait for it: ${awaitIds.join(', ')}`,
      fix: 'Name one of them',
    }),
  waitsForPerson: (runId: string, signal: string) =>
    reject('conflict', 'waits-for-person', {
      what: `signal ${jsonText(signal)} of run ${runId}`,
      why: 'it waits for a person, and this caller may not answer in place of one',
      fix: 'Leave it to a person: the inbox shows it',
    }),
  invalidPayload: (signal: string, problems: readonly Problem[]) =>
    reject(
      'refused',
      'invalid-payload',
      {
        what: `signal ${jsonText(signal)}`,
        why: `its payload does not fit the schema of the await: ${firstProblem(below('/payload', problems))}`,
        fix: 'Correct the listed problems',
      },
      below('/payload', problems),
    ),
};

/** The end of a child whose start was refused. */
export function refusedStart({ code: kind, message }: Rejection): RunEnd {
  return { status: 'failed', failure: { kind, message } };
}

/** The workflows that an application may start. */
function registered(all: WorkflowRegistry['all']): string {
  return all.flatMap(({ name, internal }) => (internal ? [] : [name])).join(', ');
}
