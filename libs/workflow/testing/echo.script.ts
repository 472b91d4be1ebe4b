import type { Json } from '#lib/kernel';
import { called } from '../script/call.script.js';
import { helper, here, type Named, type Script } from '../script/script.js';
import { valueOf } from '../script/tried.js';

/** Calls the echo once: its output is its input. @throws StepFailed */
export function echo(input: Json, { id }: Named = {}): Script<Json> {
  return helper(echo, function* () {
    const name = (yield* here()).name('echo', id);
    const { event } = yield* valueOf(called({ id: `${name}#1`, activity: 'echo', input }));
    return (event.data as { output: Json }).output;
  });
}
