import { recordedCalls, type LlmCallCompleted, type WebhookCallCompleted } from '#lib/call-rules';
import type { RecordedEvent } from '#lib/kernel';
import type { ProjectionFailure } from '#lib/read-models';
import type { HumanInputRequested } from '#lib/decisions/session';
import type { SignalAwaited } from '#lib/workflow';

interface NoticedStream {
  readonly category: string;
  readonly id: string;
  /** A workflow of a capability, whose waits are those of the capability. */
  readonly isInternal: boolean;
}

/**
 * The line in the server's log about an event that an operator has to see: a call that failed, or a wait for a person. It holds ids and
 * kinds, and no content of requests or replies.
 */
export function noticeOf(event: RecordedEvent, stream: NoticedStream): string | undefined {
  if (event.type === 'HumanInputRequested') {
    const { reason } = (event as RecordedEvent<HumanInputRequested>).data;
    return `session ${stream.id} waits for a person: ${reason}`;
  }
  if (event.type === 'SignalAwaited' && !stream.isInternal) {
    const { signal, stepId } = (event as RecordedEvent<SignalAwaited>).data;
    return `run ${stream.id} of ${stream.category} waits for ${signal} (${stepId})`;
  }
  const failure = failureOf(event);
  if (failure === undefined) return undefined;
  const { activity } = recordedCalls.roleOf(event) ?? {};
  const { stepId } = event.data as { readonly stepId: string };
  const where = `${stepId} of run ${stream.id} of ${stream.category}`;
  return `call failed: ${activity?.name} ${where}: ${failure}`;
}

/** The kind of its failure, or the status of its reply. */
function failureOf(event: RecordedEvent): string | undefined {
  const role = recordedCalls.roleOf(event)?.role;
  if (role === 'failed') return (event.data as { readonly failure: { readonly kind: string } }).failure.kind;
  if (role !== 'completed' || !('status' in event.data)) return undefined;
  const { status } = event.data as LlmCallCompleted['data'] | WebhookCallCompleted['data'];
  return status >= 200 && status <= 299 ? undefined : `status ${status}`;
}

/** A stopped projection: the event and the reason, in one line. */
export function stoppedLine(name: string, { type, stream, revision, message }: ProjectionFailure): string {
  const at = type === undefined ? '' : ` at ${type}, revision ${revision} of ${stream}`;
  return `projection ${name} stopped${at}: ${shortened(message)}`;
}

/** A stream whose rows stand still: the event and the reason, in one line. */
export function standsStillLine({ message }: ProjectionFailure): string {
  return shortened(message);
}

function shortened(message: string): string {
  return message.replaceAll(/\s+/g, ' ').slice(0, 500);
}
