import {
  askedModel,
  bodyAgain,
  lastRequestBody,
  type LlmCallInput,
  type LlmCallRequested,
  type ModelsFact,
} from '#lib/call-rules';
import { type AnsweredRequest, readAnswer, type ReadAnswer } from '#lib/decisions/solicitation';
import type { StreamHistory } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, present, type RecordedEvent } from '#lib/kernel';
import {
  type Given,
  scripted,
  type ScriptState,
  type Steps,
  type Workflow,
  type WorkflowStarted,
} from '#lib/workflow';
import { tryInput, type TryInput } from './try.input.js';

/** The result of a try: its reading of the answer, and the step of the last call. */
export type TryResult = { readonly stepId: string } & (ReadAnswer | { readonly outcome: 'failed' });

/** Sends a recorded request to its model or to another one. A change that alters replays is a new version. */
export const callTry: Workflow<ScriptState> = {
  name: 'llm_try',
  internal: true,
  versions: {
    1: scripted(
      {
        input: tryInput,
        facts: ['models'],
        factsInput: (input) => ({ models: [(input as TryInput).modelId] }),
        contextOf: recordedRequest,
      },
      trying,
    ),
  },
};

function* trying({ start, context }: Given): Steps<Json> {
  const { input, facts } = start.data;
  const { routes, seed } = (facts as { readonly models: ModelsFact & Json }).models;
  const recorded = context as JsonObject & AnsweredRequest;
  const { body, asksReasoning: _, ...labels } = recorded;
  const asked = yield* askedModel({ callId: 'try', routes, seed }, (route) => ({
    ...labels,
    body: bodyAgain(route, body, input as TryInput),
  }));
  const stepId = asked.calls.at(-1) as string;
  if ('failed' in asked) return { stepId, outcome: 'failed' } satisfies TryResult;
  return { stepId, ...readAnswer(recorded, asked.value.completion) } satisfies TryResult;
}

/** The request in the last event of a run's stream. */
function recordedRequest({ events }: StreamHistory): JsonObject & AnsweredRequest {
  const [start] = events as readonly RecordedEvent[] as readonly [RecordedEvent<WorkflowStarted>];
  const { labels, toolNames } = (events.at(-1) as RecordedEvent as RecordedEvent<LlmCallRequested>).data;
  return {
    body: lastRequestBody(events) as LlmCallInput['body'],
    ...present({ labels, toolNames }),
    ...asksReasoning(start),
  };
}

/** Whether the calls of a run ask for the reasoning beside the arguments: by its proposer, or because the tried call does. */
export function asksReasoning({ data: { facts, input } }: WorkflowStarted): Pick<TryInput, 'asksReasoning'> {
  const { proposer } = facts as { readonly proposer?: { readonly askReasoning?: boolean } };
  const isTried = isJsonObject(input) && input['asksReasoning'] === true;
  return proposer?.askReasoning || isTried ? { asksReasoning: true } : {};
}
