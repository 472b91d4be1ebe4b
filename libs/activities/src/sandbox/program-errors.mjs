import { LINES_BEFORE } from './compile.mjs';

/** The name of the program in stacks. */
export const FILE = 'program.tsx';
const LONGEST_ERROR = 2_000;

/** The name or the message of an error of the engine. @param {unknown} text */
export function short(text) {
  return String(text).slice(0, LONGEST_ERROR);
}

/** As the VM told it, with its place in the program. @param {any} end @returns {import('#lib/calls').SandboxEnd} */
export function endOf({ stack, ...end }) {
  if (end.kind !== 'threw') return end;
  const line = lineIn(stack);
  return { ...end, ...(line !== undefined && { line, stack: cleaned(stack) }) };
}

const PLACE = new RegExp(`${FILE}:(\\d+)(?::\\d+)?`, 'g');

/** The frames of the program, in lines of its source. @param {string} stack */
function cleaned(stack) {
  const frames = stack.split('\n').filter((line) => line.includes(`${FILE}:`));
  return frames
    .slice(0, 10)
    .map((frame) => frame.trim().replaceAll(PLACE, (_, line) => `${FILE}:${Number(line) - LINES_BEFORE}`))
    .join('\n');
}

/** The first line of the program in a stack, from 1. @param {string} stack */
export function lineIn(stack) {
  const [, line] = new RegExp(PLACE.source).exec(stack) ?? [];
  return line === undefined ? undefined : Number(line) - LINES_BEFORE;
}
