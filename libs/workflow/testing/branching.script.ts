import fc from 'fast-check';
import { all, attempt, block, either } from '../script/branches.script.js';
import { StepFailed } from '../script/failures.js';
import { retried } from '../script/retried.script.js';
import { beside, branched, here, type Open, type Script, type Steps, until } from '../script/script.js';
import { child, record, signal, timer } from '../script/waits.script.js';
import { echo } from './echo.script.js';

type Wait = { readonly do: 'timer' | 'signal' | 'child' };

/** A script as data. */
export type Branching =
  | Wait
  | { readonly do: 'echo' | 'note' | 'throw' }
  | { readonly do: 'either'; readonly waits: readonly Wait[] }
  | { readonly do: (typeof COMPOSED)[number]; readonly parts: readonly Branching[] };

/** `bounded`: two branches at once. `growing`: one branch adds the others, and continues when one of them has ended. */
const COMPOSED = ['seq', 'all', 'attempt', 'block', 'retried', 'bounded', 'growing'] as const;

const wait: fc.Arbitrary<Wait> = fc.record({ do: fc.constantFrom('timer', 'signal', 'child') });
const leaf: fc.Arbitrary<Branching> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('echo' as const) }) },
  { weight: 2, arbitrary: wait },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('note' as const, 'throw' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('either' as const),
      waits: fc.array(wait, { minLength: 1, maxLength: 3 }),
    }),
  },
);

export const branching: fc.Arbitrary<Branching> = fc.letrec<{ script: Branching }>((tie) => ({
  script: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({
      do: fc.constantFrom(...COMPOSED, 'all' as const),
      parts: fc.array(tie('script'), { minLength: 1, maxLength: 4 }),
    }),
  ),
})).script;

/** The script that this data describes. */
export function* scriptOf(script: Branching): Steps<unknown> {
  switch (script.do) {
    case 'either':
      return yield* either(Object.fromEntries(script.waits.map((one, index) => [index, waitOf(one)])));
    case 'echo':
      return yield* echo(1);
    case 'note':
      return yield* record({ type: 'Noted', data: {} });
    case 'throw':
      throw new StepFailed({ kind: 'thrown', message: 'thrown', retryable: true }, 'none');
    case 'timer':
    case 'signal':
    case 'child':
      return yield* waitOf(script);
    default:
      return yield* composed(script);
  }
}

function waitOf({ do: kind }: Wait): Open<unknown> {
  if (kind === 'timer') return timer('PT1S');
  return kind === 'signal' ? signal('go') : child('other', null);
}

function composed({ do: kind, parts }: Extract<Branching, { parts: unknown }>): Script<unknown> {
  switch (kind) {
    case 'all':
      return all(parts.map(scriptOf));
    case 'attempt':
      return attempt(inOrder(parts));
    case 'block':
      return block('part', inOrder(parts));
    case 'retried':
      return retried({ attempts: 2, call: () => inOrder(parts) });
    case 'seq':
      return inOrder(parts);
    case 'bounded':
      return bounded(parts);
    case 'growing':
      return growing(parts);
  }
}

function* bounded(parts: readonly Branching[]): Steps<unknown> {
  const path = (yield* here()).name('bounded');
  const scripts = parts.map((part, index) => ({ key: String(index), script: scriptOf(part) }));
  return yield* branched({ path, scripts, until: 'all', atMost: 2 });
}

function* growing(parts: readonly Branching[]): Steps<unknown> {
  const path = (yield* here()).name('growing');
  let over = 0;
  function* added(part: Branching, index: number): Steps<void> {
    yield* block(`${index}`, scriptOf(part));
    over++;
  }
  function* adding(): Steps<number> {
    for (const [index, part] of parts.entries()) yield* beside(added(part, index));
    yield* until(() => over > 0);
    return over;
  }
  return yield* branched({ path, scripts: [{ script: adding() }], until: 'all' });
}

function* inOrder(parts: readonly Branching[]): Steps<unknown> {
  const results: unknown[] = [];
  for (const [index, part] of parts.entries()) results.push(yield* block(`${index}`, scriptOf(part)));
  return results;
}
