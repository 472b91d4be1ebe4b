import type { EventLog } from '#lib/event-store';
import { isSameBody, type Json, keyTaken, type Labels, labelsOf, type Rejection } from '#lib/kernel';
import type { WorkflowStarted } from '#lib/workflow';

/** The key and the tags of what the first of some runs works for: a stream of a capability, else of that run. */
export async function labelsOfRoot(log: EventLog, root: string): Promise<Labels> {
  const [start] = await log.readStream<WorkflowStarted>(root, { limit: 1 });
  const owner = start?.data.owner;
  if (!owner || !('stream' in owner)) return labelsOf(start?.data ?? {});
  const [first] = await log.readStream(log.streams.withPrefix(owner.stream), { limit: 1 });
  return labelsOf(first?.data ?? {});
}

/** Why a run that was there before is not what a body with its key asks for. */
export function whyOther(
  runId: string,
  { input, ...labels }: Labels & { readonly input: Json },
  started: WorkflowStarted['data'],
): Rejection | undefined {
  const isSame = isSameBody({ input, ...labels }, { input: started.input, ...labelsOf(started) });
  return isSame ? undefined : keyTaken('run', runId, labels.key);
}
