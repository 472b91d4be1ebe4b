import { isJsonObject, type Json, jsonLine, oneLine } from '#lib/kernel';
import { APPROVAL, type RuntimeEvent } from '#lib/workflow';

type DataOf<Type extends RuntimeEvent['type']> = Extract<RuntimeEvent, { type: Type }>['data'];

/** A wait for an approval is about the call of a tool. */
export function awaited({ signal, prompt }: DataOf<'SignalAwaited'>): string {
  if (signal === APPROVAL && isJsonObject(prompt) && typeof prompt['toolId'] === 'string')
    return `waits for an approval of ${oneLine(prompt['toolId'])} with ${jsonLine(prompt['arguments'])}`;
  return `waits for the signal ${oneLine(signal)}${prompt === undefined ? '' : `: ${jsonLine(prompt)}`}`;
}

export function received({ signal, payload, by }: DataOf<'SignalReceived'>): string {
  const author = by === undefined ? '' : ` by ${oneLine(by)}`;
  const approval = signal === APPROVAL ? approvalWords(payload, author) : undefined;
  return approval ?? `signal ${oneLine(signal)}${author}: ${jsonLine(payload)}`;
}

/** @returns undefined for a payload with other members: words would hide them */
function approvalWords(payload: Json, author: string): string | undefined {
  if (!isJsonObject(payload)) return undefined;
  const { approved, reason, arguments: changed, ...others } = payload;
  if (typeof approved !== 'boolean' || Object.keys(others).length > 0) return undefined;
  const edit = changed === undefined ? '' : ` with ${jsonLine(changed)}`;
  const why = typeof reason === 'string' ? `: ${oneLine(reason, 140)}` : '';
  return `${approved ? 'approved' : 'refused'}${author}${edit}${why}`;
}
