import { parseReplyObject } from '../parse-reply-json.js';
import type { StoredReply } from '../read-webhook-text.js';
import { isJsonObject, ownMember } from '#lib/kernel';

/** A member of the body that a provider refuses, and the correction. */
interface Correction {
  readonly member: string;
  /** The other name of the member; `null` if it is left out. */
  readonly name: string | null;
  readonly reason: 'parameter-refused' | 'tools-refused' | 'format-refused';
  /** Whether the model refuses the member in every request, judged by the words of the provider. */
  readonly isLasting: boolean;
}

/** Members without which no question is possible. */
const NEEDED = ['model', 'messages', 'tools'];
const OTHER_NAMES: { readonly [member: string]: string } = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** Words about a value, or about the content of a tool: the provider may accept another request. */
const ABOUT_VALUES =
  /\b(must be|between|range|at (least|most)|greater|less|maximum|minimum|schema|pattern|too (long|large|many)|required|missing)\b/i;
const UNSUPPORTED = /support/i;

/**
 * The refused member: `error.param` of a 400 or 422, or a name in quotes in its message; or the response format or tools, if a 400, 404 or 422
 * mentions them.
 * @param sent members of the body
 */
export function refusedMember(
  { status, body }: Pick<StoredReply, 'status' | 'body'>,
  sent: readonly string[],
): Correction | undefined {
  if (status !== 400 && status !== 404 && status !== 422) return undefined;
  const { param, message, code } = errorIn(body.content);
  const isLasting = UNSUPPORTED.test(`${code} ${message}`) || !ABOUT_VALUES.test(message);
  if (sent.includes('response_format') && isAboutFormat(param, message))
    return { member: 'response_format', name: null, reason: 'format-refused', isLasting };
  const parameters = sent.filter((name) => !NEEDED.includes(name));
  const member =
    status === 404 ? undefined : parameters.find((name) => name === param || isQuoted(name, message));
  if (member !== undefined)
    return { member, name: ownMember(OTHER_NAMES, member) ?? null, reason: 'parameter-refused', isLasting };
  if (!sent.includes('tools') || !/\btools?\b/i.test(message)) return undefined;
  return { member: 'tools', name: null, reason: 'tools-refused', isLasting };
}

interface ReplyError {
  readonly param: unknown;
  readonly code: string;
  readonly message: string;
}

function errorIn(text: string): ReplyError {
  const error = parseReplyObject(text)?.['error'];
  if (!isJsonObject(error))
    return { param: undefined, code: '', message: typeof error === 'string' ? error : text };
  const { param, message, code } = error;
  return {
    param,
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
  };
}

function isAboutFormat(param: unknown, message: string): boolean {
  const isNamed = typeof param === 'string' && param.startsWith('response_format');
  return isNamed || /\b(response_format|json_schema|structured outputs?)\b/i.test(message);
}

function isQuoted(name: string, message: string): boolean {
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => message.includes(quoted));
}
