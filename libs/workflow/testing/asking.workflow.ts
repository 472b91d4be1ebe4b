import type { JsonObject } from '#lib/kernel';
import { askPerson } from '../script/ask-person.script.js';
import { defineWorkflow } from '../script/define-workflow.js';

/** Asks the people of its input, within its times. @param schema of the answer */
export function askingFor(schema: JsonObject) {
  return defineWorkflow<JsonObject, unknown>('asking', {
    input: { type: 'object' },
    versions: {
      1: function* ({ input }) {
        return yield* askPerson({ title: 'Buy?', schema, ...input });
      },
    },
  });
}
