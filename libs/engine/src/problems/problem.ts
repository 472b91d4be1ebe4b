import { STATUS_CODES } from 'node:http';
import type { Problem } from '#lib/kernel';

/** The body of every answer that is an error (RFC 9457), as `application/problem+json`. */
export interface HttpProblem {
  /** A stable URI reference that names the kind of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** `[ErrorClass] what: why. how to fix.` */
  readonly detail: string;
  /** Stable, in kebab case, for programs. */
  readonly code: string;
  /** The problems and their locations: JSON pointers into the body, or the name of a parameter or header. */
  readonly errors?: readonly Problem[];
  /** Of a proposer that gave no proposal. */
  readonly kind?: string;
  readonly upstreamStatus?: number;
  readonly solicitationId?: string;
  readonly arbitrationId?: string;
  /** Of a server that is not ready. */
  readonly parts?: readonly { readonly part: string; readonly why: string }[];
}

type Extras = Omit<HttpProblem, 'type' | 'title' | 'status' | 'detail' | 'code'>;

/** The body of an error (RFC 9457), with the title of its status. */
export function httpProblem(status: number, code: string, detail: string, extras: Extras = {}): HttpProblem {
  return {
    type: `/problems/${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    ...extras,
  };
}
