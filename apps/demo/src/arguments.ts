import { InvalidInput } from '../../cli/src/index.js';

/** The demo has one way to run. @throws InvalidInput for any argument */
export function refuseArguments([first]: readonly string[]): void {
  if (first === undefined) return;
  throw new InvalidInput(
    `demo ${first}`,
    'the demo takes no arguments',
    'Run it as `npm run demo`, and other files with `npm run redial -- run <file>`',
  );
}
