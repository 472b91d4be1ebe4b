import type { EventLog } from '#lib/event-store';
import { type Labels, labelsOf } from '#lib/kernel';
import type { WorkflowStarted } from '#lib/workflow';

/** The streams of a run and of all runs above it, the first one last. */
export async function lineOfRun(log: EventLog, stream: string): Promise<readonly string[]> {
  const [start] = await log.readStream<WorkflowStarted>(stream, { limit: 1 });
  const owner = start?.data.owner;
  if (!owner || !('run' in owner)) return [stream];
  return [stream, ...(await lineOfRun(log, log.streams.of(owner.workflow, owner.run)))];
}

/** The key and the tags of the stream of a capability that a run works for, else of the first run above it. */
export async function labelsOfRun(log: EventLog, stream: string): Promise<Labels> {
  const root = (await lineOfRun(log, stream)).at(-1) ?? stream;
  const [start] = await log.readStream<WorkflowStarted>(root, { limit: 1 });
  const owner = start?.data.owner;
  if (!owner || !('stream' in owner)) return labelsOf(start?.data ?? {});
  const [first] = await log.readStream(log.streams.withPrefix(owner.stream), { limit: 1 });
  return labelsOf(first?.data ?? {});
}
