import { describe, expect, it } from '@jest/globals';
import { sourceFiles } from './source-files.js';

/** A member of a proposal that is an amount, and the name of its column. */
const MEMBER = /\bnumOutputTokens\b|\bnum_output_tokens\b/;

/** The files that a further member of this form changes: its declaration, and the column of its rows. */
const transcribed = [
  'libs/decisions/session/proposal.members.ts',
  'libs/read-models/decisions/decisions.tables.ts',
];

/** Files that give the member its value, add it up, or name it as a column for analysts: another member has such uses of its own, or none. */
const used = [
  'apps/cli/src/format/definitions.ts',
  'libs/call-rules/models/spent.ts',
  'libs/decisions/gates/gates.views.ts',
  'libs/decisions/gates/invocation/gate-result.ts',
  'libs/decisions/solicitation/conclusion.ts',
  'libs/decisions/solicitation/plain/execute-proposer-llm.ts',
  'libs/histories/evaluations/evaluation-result.rules.ts',
  'libs/histories/evaluations/evaluations.views.ts',
  'libs/histories/experiments/batch.script.ts',
  'libs/read-models/views/datasets.ts',
];

describe('an optional member of a proposal', () => {
  it('is declared once: two shipped files transcribe it, and the others that name it measure it, add it up, or show it to analysts', () => {
    const shipped = sourceFiles().filter(
      ({ path, unit, isSpec, isTesting }) =>
        !isSpec && !isTesting && !path.endsWith('.generated.ts') && !/^apps\/(?:bench|demo)$/.test(unit),
    );
    const named = shipped.filter(({ text }) => MEMBER.test(text)).map(({ path }) => path);
    expect(named.toSorted()).toEqual([...transcribed, ...used].toSorted());
  });
});
