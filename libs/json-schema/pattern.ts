import { RE2JS } from 're2js';
import { thrownText } from '#lib/kernel';
import { limits } from './limits.js';
import { patternWeight } from './pattern-weight.js';

/** A pattern that matches in time linear in the text. */
export interface Pattern {
  /** The number of instructions: a match takes at most this many steps for each character. */
  readonly size: number;
  test(text: string): boolean;
}

/** Compiles a pattern of a schema, or gives the reason why it cannot be used: RE2 has no lookaround and no backreferences. */
export function compilePattern(source: string): Pattern | { readonly refused: string } {
  const tooLarge = `is too large a pattern: the limits are ${limits.patternLength} characters and ${limits.patternWeight} instructions`;
  if (patternWeight(source) > limits.patternWeight) return { refused: tooLarge };
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { size: compiled.programSize(), test: (text) => compiled.test(text) };
  } catch (error) {
    const why = thrownText(error);
    return {
      refused: `is not a usable pattern: ${why} (patterns are RE2: no lookaround, no backreference)`,
    };
  }
}
