import { type Outcome, RunFails, scripted, type ScriptState, type Workflow } from '#lib/workflow';
import { recordedCalls } from '../../recorded-calls.js';
import { type Json, jsonText, sha256 } from '#lib/kernel';
import { RunHistory } from '#lib/workflow/testing';
import type { ModelParameters } from '../../model-parameters.js';
import { modelBody, type Question } from '../model-body.rules.js';
import { type ModelRoute, takesTools } from '../model-route.js';
import { askedModel } from '../model-call.script.js';
import type { ModelAsk } from '../spent.js';

/** A workflow that asks a model once, and ends with the outcome. */
export function asking(
  ask: Partial<ModelAsk> & Pick<ModelAsk, 'routes'>,
  question: Omit<Question, 'messages'> = {},
  parameters: ModelParameters = {},
): RunHistory {
  const questionBody = (route: ModelRoute) =>
    modelBody(route, { messages: [], ...(takesTools(route) && question) }, parameters);
  const workflow: Workflow<ScriptState> = {
    name: 'asking',
    versions: {
      1: scripted({ input: {} }, function* () {
        const asked = { callId: 'ask', seed: 'run', ...ask };
        const answer = yield* askedModel(asked, (route) => ({ body: questionBody(route) }));
        if ('failed' in answer) throw new RunFails(answer.failed);
        return answer.value.completion.content;
      }),
    },
  };
  return RunHistory.of(workflow, { input: {}, activities: recordedCalls.all });
}

export function replied(
  status: number,
  body: Json = { choices: [{ message: { content: 'Yes.' } }] },
  responseHeaders: { readonly [name: string]: string } = {},
): Outcome {
  const content = typeof body === 'string' ? body : jsonText(body);
  const stored = { encoding: 'utf8', content, sha256: sha256(content) };
  return { completed: { status, requestHeaders: {}, responseHeaders, body: stored, durationMs: 10 } };
}

/** The outcome of a call without a whole reply. @param received the status of the part of a reply that came */
export function unanswered(kind: string, received?: number): Outcome {
  const failure = { kind, message: kind, retryable: true, durationMs: 5 };
  const body = { encoding: 'utf8', content: '{', sha256: sha256('{') };
  if (received === undefined) return { failed: { failure } };
  return { failed: { failure, received: { status: received, responseHeaders: {}, body } } };
}
