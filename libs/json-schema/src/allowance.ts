import { limits } from './limits.js';
import { compilePattern } from './pattern.js';
import { patternWeight } from './pattern-weight.js';

/**
 * The limits of all schemas of one definition together: a machine with a thousand small schemas is as much work as one with a large
 * one.
 */
export class Allowance {
  private keywords: number = limits.keywords;
  private patterns: number = limits.patternsWeight;
  private readonly known = new Map<string, string | undefined>();

  /** Whether that many more keywords are within the limit. */
  takeKeywords(count: number): boolean {
    this.keywords -= count;
    return this.keywords >= 0;
  }

  /** Why a pattern cannot be used. Each different pattern is compiled once, and none beyond the limit. */
  patternProblem(source: string): string | undefined {
    if (this.known.has(source)) return this.known.get(source);
    this.patterns -= Math.min(patternWeight(source), limits.patternWeight);
    const problem = this.patterns < 0 ? TOO_MANY : refusal(source);
    this.known.set(source, problem);
    return problem;
  }
}

const TOO_MANY = `is one pattern too many: all patterns of a definition may have ${limits.patternsWeight} instructions together`;

function refusal(source: string): string | undefined {
  const compiled = compilePattern(source);
  return 'refused' in compiled ? compiled.refused : undefined;
}
