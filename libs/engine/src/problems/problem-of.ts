import {
  AppendTooLarge,
  ConflictNotSettled,
  ForeignPosition,
  StoreUnavailable,
  UnknownEvent,
} from '#lib/event-store';
import { explain, type RedialError, type RejectionKind } from '#lib/kernel';
import { ProjectionBehind } from '#lib/projections';
import { CannotPerform, RuntimeStopped } from '#lib/workflow';
import { TurnNotTaken } from '#lib/flows';
import { RejectionError } from '#lib/operations';
import { ArbiterFailed, ArbitrationUnfinished, ProposerFailed, SolicitationUnfinished } from '#lib/sessions';
import { EvaluationUnfinished } from '#lib/evaluations';
import { type HttpProblem, httpProblem } from './problem.js';

const STATUS_OF: { readonly [kind in RejectionKind]: number } = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
  refused: 422,
};

type ErrorClass = abstract new (...args: never[]) => RedialError;

const OUTAGES: readonly (readonly [type: ErrorClass, status: number, code: string])[] = [
  [ConflictNotSettled, 409, 'conflict-not-settled'],
  [AppendTooLarge, 413, 'append-too-large'],
  [ProjectionBehind, 503, 'projection-behind'],
  [StoreUnavailable, 503, 'store-unavailable'],
  // During a rolling upgrade: a process of the newer version can answer.
  [UnknownEvent, 503, 'unknown-event'],
  [SolicitationUnfinished, 503, 'solicitation-unfinished'],
  [ArbitrationUnfinished, 503, 'arbitration-unfinished'],
  [EvaluationUnfinished, 503, 'evaluation-unfinished'],
  [RuntimeStopped, 503, 'server-stopping'],
  [CannotPerform, 503, 'cannot-perform'],
  [TurnNotTaken, 502, 'turn-failed'],
];

/**
 * The one table of errors. HTTP answers the problem, MCP shows it, the command line prints its detail and exits
 * with the code of its status. `undefined` for an error whose message is for the log alone.
 */
export function problemOf(error: unknown): HttpProblem | undefined {
  if (error instanceof RejectionError) return rejectionProblem(error);
  if (error instanceof ProposerFailed) return proposerProblem(error);
  if (error instanceof ArbiterFailed) return arbiterProblem(error);
  if (error instanceof ForeignPosition) return foreignPosition(error);
  const [, status, code] = OUTAGES.find(([type]) => error instanceof type) ?? [];
  if (status === undefined || code === undefined) return undefined;
  return httpProblem(status, code, (error as RedialError).message);
}

/** An error that is no fault of the request. What it was stands in the server's log alone, under this id. */
export function internalProblem(errorId: string): HttpProblem {
  const why = 'something went wrong inside Redial';
  const detail = explain('InternalError', 'the call', why, `Look for ${errorId} in the log of the server`);
  return httpProblem(500, 'internal-error', detail);
}

function rejectionProblem({ rejection }: RejectionError): HttpProblem {
  const { rejected, code, message, problems } = rejection;
  return httpProblem(STATUS_OF[rejected], code, message, problems && { errors: problems });
}

function proposerProblem({ message, failure, solicitationId }: ProposerFailed): HttpProblem {
  const { kind, upstreamStatus } = failure;
  if (kind === 'template-too-large' || kind === 'budget')
    return httpProblem(422, kind, message, { kind, solicitationId });
  return httpProblem(502, 'proposer-failed', message, {
    kind,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
    solicitationId,
  });
}

function arbiterProblem({ message, failure, arbitrationId }: ArbiterFailed): HttpProblem {
  const { kind, upstreamStatus } = failure;
  return httpProblem(502, 'arbiter-failed', message, {
    kind,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
    arbitrationId,
  });
}

/** @param name of the parameter or header that it came in */
export function foreignPosition({ message }: ForeignPosition, name = 'minPosition'): HttpProblem {
  const errors = [{ path: `/${name}`, message: 'is not a position of this log' }];
  return httpProblem(400, 'foreign-position', message, { errors });
}
