import { type Json, sha256 } from '#lib/kernel';
import type { ActivityFailure } from '#lib/legacy-workflow';
import type { ScriptedOutcome } from '#lib/legacy-workflow/testing';
import type { ArbiterAnswer, ArbitrationEvent } from '../arbitration.events.js';
import { arbitration } from '../arbitration.workflow.js';

type Scripted = ScriptedOutcome<ArbitrationEvent>;

/** The function returns this. */
export function returns(result: Json): Scripted {
  return answering({ result, durationMs: 4 });
}

/** The webhook replies. `body` is sent as JSON; a text is sent as it is. */
export function replies(status: number, body: Json, responseHeaders: Record<string, string> = {}): Scripted {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  return answering({
    status,
    requestHeaders: { Authorization: '[REDACTED]' },
    responseHeaders,
    body: { encoding: 'utf8', content, sha256: sha256(content) },
    durationMs: 10,
  });
}

/** Nothing comes. */
export function fails(failure: Partial<ActivityFailure> = {}): Scripted {
  const network = {
    kind: 'network',
    message: 'connect ECONNREFUSED',
    retryable: true,
    durationMs: 5,
  } as const;
  return (request) => arbitration.failed(request, { ...network, ...failure });
}

function answering(answer: ArbiterAnswer): Scripted {
  return (request) => {
    if (request.type !== 'ArbiterCallRequested') throw new Error(`A ${request.type} is no request.`);
    return { type: 'ArbiterCallCompleted', data: { callId: request.data.callId, ...answer } };
  };
}
