import { DEFAULT_PROVIDER, engineMemberRefusal, type LlmCallRequested } from '#lib/call-rules';
import { asReader, type EventLog, ownEvents } from '#lib/event-store';
import { type Clock, derivedId, isRejection, type RecordedEvent, refusedAt, reject } from '#lib/kernel';
import type { ReadModels } from '#lib/operations';
import {
  checkKeyIn,
  type CommandContext,
  refuse,
  refuseErasedStream,
  type Written,
  type WrittenPosition,
} from '#lib/operations/core';
import { callIdOf, getLlmCall, type LlmCallRow, withBodies } from '#lib/read-models';
import { unknownCall } from '#lib/runs/calls/core';
import { callMetadata, isOutage, type ModelRoutes, Unfinished } from '#lib/runs/runs/core';
import { endOfRun, type WorkflowRuntime, type WorkflowStarted } from '#lib/workflow';
import type { CallTry } from './tries.views.js';
import type { AskedTry, TryInput } from './try.input.js';
import { asksReasoning, callTry, type TryResult } from './try.workflow.js';

interface TriesParts {
  readonly log: EventLog;
  readonly written: WrittenPosition;
  readonly reads: ReadModels;
  readonly runtime: WorkflowRuntime;
  readonly models: ModelRoutes;
  readonly clock: Clock;
}

/** Sends recorded requests again, each in a run of its own. The run of the call is only read. */
export class Tries {
  constructor(private readonly parts: TriesParts) {}

  /**
   * A repeat under the same key waits for the same run, and gets its answer.
   * @throws RejectionError before any write if there is no such call, or its model cannot be asked
   * @throws Unfinished if it was started, and this process cannot continue it
   */
  async try(asked: AskedTry, context: CommandContext): Promise<Written<CallTry>> {
    const { log, written } = this.parts;
    const runId = derivedId(context.commandId, 'try');
    const stream = log.streams.of(callTry.name, runId);
    const begun = await log.load(stream);
    if (context.keyed) checkKeyIn(begun, context);
    if (begun.revision < 0) await this.#start(runId, asked, context);
    await this.#ended(runId);
    await refuseErasedStream(log, stream, context);
    const { events } = await log.load(stream);
    const position = events.at(-1)?.position;
    written.note(position);
    return { value: await this.#answer(runId, events), position, created: true };
  }

  async #start(runId: string, { callId, ...changes }: AskedTry, context: CommandContext) {
    const { log, runtime, clock } = this.parts;
    const refusal = engineMemberRefusal('/modelParameters', changes.modelParameters);
    if (refusal) refuse(refusal);
    const call = await this.#call(callId);
    const modelId = changes.modelId ?? this.#modelOf(call);
    const stream = log.streams.of(call.workflow, call.runId);
    const { events } = await log.load<LlmCallRequested>(stream);
    const request = ownEvents(events).findLast(
      ({ type, data }) => type === 'LlmCallRequested' && data.stepId === call.stepId,
    );
    if (!request) return refuse(unknownCall(callId));
    await refuseErasedStream(log, stream, context);
    const asking = asksReasoning(events[0] as RecordedEvent as RecordedEvent<WorkflowStarted>);
    const input: TryInput = { callId, ...changes, modelId, ...asking };
    const started = await runtime.startRun({
      workflow: callTry.name,
      input: input,
      runId,
      context: { stream, revision: request.revision },
      metadata: callMetadata(context, runId, clock, request.metadata.keyId),
    });
    if (isRejection(started))
      refuse(changes.modelId === undefined ? started : refusedAt('/modelId', started));
  }

  #call(callId: string): Promise<LlmCallRow> {
    return this.parts.reads.ask(
      ['llm_calls'],
      async (db) => (await getLlmCall(db, callId)) ?? unknownCall(callId),
    );
  }

  /** The id of the call's model. @throws RejectionError if its provider is no longer known */
  #modelOf({ callId, provider, model }: LlmCallRow): string {
    const modelId = provider === DEFAULT_PROVIDER ? model : `${provider}/${model}`;
    const [route] = this.parts.models.of(modelId);
    if (route?.provider === provider) return modelId;
    return refuse(
      reject('refused', 'unknown-provider', {
        what: `call ${callId}`,
        why: `its provider ${provider} is not set up here`,
        fix: 'Name another model, or set the provider up',
      }),
    );
  }

  async #ended(runId: string): Promise<void> {
    try {
      await this.parts.runtime.ended({ workflow: callTry.name, runId });
    } catch (error) {
      throw isOutage(error) ? new Unfinished('try', runId, error) : error;
    }
  }

  async #answer(runId: string, events: readonly RecordedEvent[]): Promise<CallTry> {
    const { log } = this.parts;
    const end = endOfRun(events);
    if (end?.status !== 'completed') return refuse(givenUp(runId));
    const { stepId, ...reading } = end.result as TryResult;
    const callId = callIdOf(runId, stepId);
    const row = await this.#call(callId);
    return asReader(async () => {
      for await (const call of withBodies(log, [row])) return { runId, call, reading };
      return refuse(unknownCall(callId));
    });
  }
}

function givenUp(runId: string) {
  return reject('conflict', 'given-up', {
    what: `try ${runId}`,
    why: 'an operator gave it up',
    fix: 'Try the call again, under another key',
  });
}
