import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a module that calls `answerParent` in a process of its own, whose garbage can be collected at will.
 * @returns its answer, once it has ended
 */
export async function askProcess<Answer>(
  module: './memory-of-engine.js' | './engine-beside-runs.js',
  input: string,
): Promise<Answer> {
  const child = fork(new URL(module, import.meta.url), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit').then(() => Promise.reject(new Error(`${module} gave no answer.`)));
  const ended = once(child, 'exit');
  child.send(input);
  const [answer] = (await Promise.race([once(child, 'message'), gone])) as [Answer];
  gone.catch(() => undefined);
  await ended;
  return answer;
}
