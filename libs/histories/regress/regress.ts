import { type Judging, judgeHistory } from './judge-history.js';
import type { Today } from './today.js';
import { type JudgedHistory, type Regression, regressionOf } from './verdict.js';

/** Compares history files with today, one after another.  @param judged is called with each verdict */
export async function regress(
  files: readonly string[],
  today: Today,
  judging: Judging,
  judged: (history: JudgedHistory) => void = () => undefined,
): Promise<Regression> {
  const histories: JudgedHistory[] = [];
  const roots = new Map<string, string>();
  for (const file of files) {
    const found = await judgeHistory(file, today, judging);
    const history = asSecond(found, roots) ?? found;
    histories.push(history);
    judged(history);
  }
  return regressionOf(histories, today.unusedMachines);
}

/** Two files of one root: neither may stand for the other. */
function asSecond({ file, root }: JudgedHistory, roots: Map<string, string>): JudgedHistory | undefined {
  if (!root) return undefined;
  const key = `${root.kind} ${root.id}`;
  const first = roots.get(key);
  if (first === undefined) {
    roots.set(key, file);
    return undefined;
  }
  return { file, root, verdict: 'double', why: `${first} has the same ${root.kind}` };
}
