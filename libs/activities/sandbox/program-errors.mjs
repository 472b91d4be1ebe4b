/** The name of the program in stacks. */
export const FILE = 'program.tsx';
const LONGEST_ERROR = 2_000;

/** The name or the message of an error of the engine. @param {unknown} text */
export function short(text) {
  return String(text).slice(0, LONGEST_ERROR);
}

/**
 * An end as the VM reported it, with its location in the program.
 * @param {import('#lib/call-rules').SandboxEnd} end
 * @returns {import('#lib/call-rules').SandboxEnd}
 */
export function endOf(end) {
  if (end.kind !== 'threw') return end;
  const { stack = '', ...rest } = end;
  const line = lineIn(stack);
  return { ...rest, ...(line !== undefined && { line, stack: cleaned(stack) }) };
}

/** A line of the program in a frame, from 1. Frames of class field initializers have line 0. */
const PLACE = new RegExp(`${FILE}:([1-9]\\d*)(?::\\d+)?`);

/** The frames of the program. @param {string} stack */
function cleaned(stack) {
  const frames = stack.split('\n').filter((frame) => PLACE.test(frame));
  return frames
    .slice(0, 10)
    .map((frame) => frame.trim().replace(PLACE, `${FILE}:$1`))
    .join('\n');
}

/** The first line of the program in a stack. @param {string} stack */
export function lineIn(stack) {
  const [, line] = PLACE.exec(stack) ?? [];
  return line === undefined ? undefined : Number(line);
}
