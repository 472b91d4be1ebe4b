import type { Paint } from '../../cli/src/index.js';

/** Commands to look at the demo's results. */
export function howToLook(dataDir: string, sessionIds: readonly string[], paint: Paint): readonly string[] {
  const [first = ''] = sessionIds;
  return [
    '',
    paint('bold', 'All of it is still there. Look at it:'),
    `  npm run redial -- inspect ${first} --data-dir ${dataDir}`,
    `  npm run redial -- replay --all --data-dir ${dataDir}`,
    `  npm run redial -- serve --data-dir ${dataDir}`,
    '',
    'Then run a process of your own (with OPENAI_API_KEY, and OPENAI_BASE_URL for any other compatible server):',
    `  npm run redial -- run examples/refunds.json --meta '{"text":"The cup arrived in two pieces."}'`,
  ];
}
