import { type Json, jsonText } from '#lib/kernel';
import { answer, given, messagesIn, tool, toolOk } from './planner-history.js';

export interface PlannerBytes {
  /** Bytes of the data of all events. */
  readonly recorded: number;
  /** Bytes of the events in the first half of the rounds. */
  readonly firstHalf: number;
  /** Bytes of the new content of a run: the bodies of replies and the results of tools. */
  readonly content: number;
  /** Bytes of all events if each request held its whole list of messages. */
  readonly naive: number;
}

const CHARS = 2_000;

/**
 * A run of this many rounds, each with a text of 2,000 characters, one call of a tool, and a result of the same length.
 * @param argumentChars the length of a text in the arguments of the call
 */
export function plannerBytes(rounds: number, argumentChars = 0): PlannerBytes {
  const history = given({ maxRounds: rounds }, [tool('find')]);
  for (let round = 1; round < rounds; round++) {
    const text = `${round} `.padEnd(CHARS, 'thinking ');
    const call = {
      id: 'p-1',
      type: 'function',
      function: { name: 'find', arguments: jsonText({ order: round, note: 'n'.repeat(argumentChars) }) },
    } as const;
    history.answer(`round-${round}#1`, answer(text, [call]));
    history.answer(`round-${round}.call-1#1`, toolOk(`${round} `.padEnd(CHARS, 'found ')));
  }
  history.answer(`round-${rounds}#1`, answer('Done.'));
  const all = history.recorded;
  const recorded = sum(all.map(({ data }) => data));
  const half = all.findIndex(({ data }) => (data as { stepId?: string }).stepId === `round-${rounds / 2}#1`);
  const firstHalf = sum(all.slice(0, half).map(({ data }) => data));
  const content = sum(
    all.flatMap(({ type, data }) => {
      if (type === 'LlmCallCompleted') return [(data as { body: { content: string } }).body.content];
      return type === 'ToolCallCompleted' ? [(data as { result: Json }).result] : [];
    }),
  );
  const messages = messagesIn(history).map((message) => bytesOf(message));
  const lists = Array.from({ length: rounds }, (_, round) => messages.slice(0, 2 + 2 * round));
  const naive = recorded + lists.flat().reduce((total, bytes) => total + bytes, 0);
  return { recorded, firstHalf, content, naive };
}

function sum(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + bytesOf(value), 0);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(jsonText(value));
}
