import { Allowance, AllowanceExceeded } from '#lib/kernel';
import { limits } from './limits.js';
import { compilePattern } from './pattern.js';
import { patternWeight } from './pattern-weight.js';

/** The allowance that the schemas of one definition, such as a machine, share: a thousand small schemas are as much work as a large one. */
export class DefinitionSchemas {
  /** Keywords count as members, instructions of patterns as steps. */
  private readonly allowance = new Allowance({ members: limits.keywords, steps: limits.patternsWeight });
  private readonly known = new Map<string, string | undefined>();

  /** Whether this number of further keywords is within the limit. */
  takeKeywords(count: number): boolean {
    return isGiven(() => this.allowance.take(count));
  }

  /** The reason why a pattern cannot be used. Each different pattern is compiled once, and none above the limit. */
  patternProblem(source: string): string | undefined {
    if (this.known.has(source)) return this.known.get(source);
    const weight = Math.min(patternWeight(source), limits.patternWeight);
    const problem = isGiven(() => this.allowance.spend(weight)) ? refusal(source) : TOO_MANY;
    this.known.set(source, problem);
    return problem;
  }
}

const TOO_MANY = `is one pattern too many: all patterns of a definition may have ${limits.patternsWeight} instructions together`;

function isGiven(take: () => void): boolean {
  try {
    take();
    return true;
  } catch (error) {
    if (error instanceof AllowanceExceeded) return false;
    throw error;
  }
}

function refusal(source: string): string | undefined {
  const compiled = compilePattern(source);
  return 'refused' in compiled ? compiled.refused : undefined;
}
