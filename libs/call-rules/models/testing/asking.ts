import type { Outcome } from '#lib/workflow';
import { recordedCalls } from '../../recorded-calls.js';
import { type Json, jsonText, sha256 } from '#lib/kernel';
import type { Workflow } from '#lib/workflow';
import { RunHistory } from '#lib/workflow/testing';
import type { ModelParameters } from '../../model-parameters.js';
import { modelBody, type Question } from '../model-body.rules.js';
import { type ModelRoute, takesTools } from '../model-route.js';
import { beginModelCall, evolveModelCall, modelCallSteps } from '../model-call.rules.js';
import type { ModelAsk, ModelCallState } from '../model-call.state.js';

/** A workflow that asks a model once, and ends with the outcome. */
export function asking(
  ask: Partial<ModelAsk> & Pick<ModelAsk, 'routes'>,
  question: Omit<Question, 'messages'> = {},
  parameters: ModelParameters = {},
): RunHistory {
  const begun = beginModelCall({ callId: 'ask', seed: 'run', ...ask });
  const questionBody = (route: ModelRoute) =>
    modelBody(route, { messages: [], ...(takesTools(route) && question) }, parameters);
  const workflow: Workflow<ModelCallState> = {
    name: 'asking',
    versions: {
      1: {
        input: {},
        initialState: () => begun,
        evolve: (state, event) => evolveModelCall(state, event),
        next: ({ phase, ...call }) => {
          if (phase.at === 'answered') return [{ do: 'end', result: phase.completion.content }];
          if (phase.at === 'failed') return [{ do: 'fail', failure: phase.failure }];
          return modelCallSteps({ ...call, phase }, (route) => ({
            body: questionBody(route),
          }));
        },
      },
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

/** No whole reply came. @param received the status of what came of one */
export function unanswered(kind: string, received?: number): Outcome {
  const failure = { kind, message: kind, retryable: true, durationMs: 5 };
  const body = { encoding: 'utf8', content: '{', sha256: sha256('{') };
  if (received === undefined) return { failed: { failure } };
  return { failed: { failure, received: { status: received, responseHeaders: {}, body } } };
}
