import type { Paint } from '../../cli/src/index.js';

/** Commands to look at the demo's results. */
export function howToLook(dataDir: string, ids: readonly string[], paint: Paint): readonly string[] {
  return [
    '',
    paint('bold', 'All of it is still there. Look at it:'),
    ...ids.map((id) => `  npm run redial -- inspect ${id} --data-dir ${dataDir}`),
    `  npm run redial -- replay --all --data-dir ${dataDir}`,
    `  npm run redial -- serve --data-dir ${dataDir}`,
    '',
    'Then run a process of your own (with OPENAI_API_KEY, and OPENAI_BASE_URL for any other compatible server):',
    `  npm run redial -- run examples/refunds.json --meta '{"text":"The cup arrived in two pieces."}'`,
    '',
    'In a browser: each decision with its proposals, the replies that the models gave, and two tasks that wait for you:',
    `  npm run redial -- console --data-dir ${dataDir}`,
  ];
}
