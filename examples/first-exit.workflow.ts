// A workflow that proposes, in ten lines.
import type { Workflow } from 'redial-engine';
import type { JsonObject } from 'redial-engine/kernel';

// #region workflow
type Asked = JsonObject & { readonly exits: readonly { readonly name: string }[]; readonly note?: string };

/** Takes the first exit, with the note of its input as the summary. */
export const firstExit: Workflow<Asked> = {
  name: 'first_exit',
  versions: {
    1: {
      input: { type: 'object', properties: { note: { type: 'string' } }, required: ['exits'] },
      initialState: ({ data }) => data.input as Asked,
      evolve: (asked) => asked,
      next: ({ exits, note = '' }) => [{ do: 'end', result: { exit: exits[0]?.name ?? '', summary: note } }],
    },
  },
};
// #endregion
