import { engineMemberRefusal, type ModelParameters } from '#lib/call-rules';
import type { EventLog } from '#lib/event-store';
import { type Clock, derivedId, isRejection } from '#lib/kernel';
import { authorOf, type CommandContext, personOf, refuse, refuseErasedStream } from '#lib/operations/core';
import {
  type RunForkRequest,
  runRejections,
  type WorkflowRegistry,
  type WorkflowRuntime,
} from '#lib/workflow';
import { callMetadata } from './call-metadata.js';
import type { RunView } from './run.views.js';
import type { Runs } from './runs.js';

interface ForkOfRun extends Partial<Pick<RunForkRequest, 'effects' | 'reason'>> {
  readonly runId: string;
  readonly atRevision: number;
  readonly overrides?: RunForkRequest['overrides'] & { readonly modelParameters?: ModelParameters };
}

interface ForkParts {
  readonly log: EventLog;
  readonly workflows: WorkflowRegistry;
  readonly runtime: WorkflowRuntime;
  readonly runs: Runs;
  readonly clock: Clock;
}

/** Forks runs that callers start. */
export class RunForks {
  constructor(private readonly parts: ForkParts) {}

  /** Continues from a past revision of a run, in a new run. A repeated call gets the same run. @throws RejectionError */
  async fork({ runId: parent, ...asked }: ForkOfRun, context: CommandContext): Promise<RunView> {
    const { log, workflows, runtime, runs, clock } = this.parts;
    const stream = await runs.streamOf(parent);
    const name = log.streams.parse(stream)?.category ?? '';
    if (workflows.isInternal(name)) refuse(runRejections.internalRun(parent, name));
    await refuseErasedStream(log, stream, context);
    const runId = derivedId(context.commandId, 'run');
    const [made] = await log.store.readStream(log.streams.of(name, runId), { limit: 1 });
    if (made) return runs.after(context, runId);
    const { atRevision: revision, effects = 'hold', ...more } = asked;
    const refusal = engineMemberRefusal('/overrides/modelParameters', more.overrides?.modelParameters);
    if (refusal) refuse(refusal);
    const metadata = callMetadata(context, runId, clock);
    const person = personOf(context);
    const who = { by: authorOf(context), ...(person !== undefined && { person }) };
    const request = { stream, revision, runId, ...who, effects, ...more, metadata };
    const forked = await runtime.forkRun(request);
    return isRejection(forked) ? refuse(forked) : runs.after(context, runId);
  }
}
