import { parseReplyObject, type StoredReply } from '#lib/calls';
import { isJsonObject } from '#lib/kernel';

/** A member of the body that a provider refuses, and what to send in its place. */
export interface Correction {
  readonly member: string;
  /** `null`: nothing. */
  readonly name: string | null;
  readonly reason: 'parameter-refused' | 'tools-refused';
}

/** Without them nothing is asked. */
const NEEDED = ['model', 'messages', 'tools'];
const OTHER_NAMES: { readonly [member: string]: string } = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/**
 * The refused member: `error.param` of a 400 or 422, or a name in quotes in its message; tools where a 400, 404 or 422 speaks of them.
 * @param sent members of the body
 */
export function refusedMember(
  { status, body }: Pick<StoredReply, 'status' | 'body'>,
  sent: readonly string[],
): Correction | undefined {
  if (status !== 400 && status !== 404 && status !== 422) return undefined;
  const { param, message } = errorIn(body.content);
  const parameters = sent.filter((name) => !NEEDED.includes(name));
  const member =
    status === 404 ? undefined : parameters.find((name) => name === param || isQuoted(name, message));
  if (member !== undefined) return { member, name: OTHER_NAMES[member] ?? null, reason: 'parameter-refused' };
  if (!sent.includes('tools') || !/\btools?\b/i.test(message)) return undefined;
  return { member: 'tools', name: null, reason: 'tools-refused' };
}

function errorIn(text: string): { readonly param: unknown; readonly message: string } {
  const error = parseReplyObject(text)?.['error'];
  if (!isJsonObject(error)) return { param: undefined, message: typeof error === 'string' ? error : text };
  const { param, message } = error;
  return { param, message: typeof message === 'string' ? message : '' };
}

function isQuoted(name: string, message: string): boolean {
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => message.includes(quoted));
}
