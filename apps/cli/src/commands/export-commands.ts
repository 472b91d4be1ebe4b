import { Option } from 'commander';
import { ID_HELP } from '../input/options.js';
import type { HandWritten } from './hand-written.js';

export const exportDataset: HandWritten = {
  words: 'export',
  summary:
    'write the rows of a dataset to standard output, as CSV or as JSON lines; or the decisions of people, to train models: that export is recorded',
  args: {
    '<dataset>':
      'sessions, rounds, decisions, proposals, calls, costs, tasks or runs; training or preferences',
  },
  options: [
    new Option('--format <format>', 'of rows; default: jsonl').choices(['csv', 'jsonl']),
    new Option('--from <time>', 'only rows at or after this time'),
    new Option('--to <time>', 'only rows before this time'),
    new Option('--machine <machine>', 'only of this machine'),
    new Option('--no-meta', 'rows without the facts of sessions'),
  ],
  load: async () => (await import('./export.js')).exportDataset,
};

export const exportHistory: HandWritten = {
  words: 'history export',
  summary: 'write sessions, runs and conversations as history files, for replay, inspect and regress',
  args: { '[id...]': `of a session: ${ID_HELP}; of a run or conversation: its id` },
  options: [
    new Option('--all', 'every session and conversation, and every run that none of them asked for'),
    new Option('--to <path>', 'a folder; for one id also a file that ends with .jsonl').makeOptionMandatory(),
    new Option('--redact <what>', 'leave out the content that people, models and tools wrote').choices([
      'content',
    ]),
    new Option(
      '--keys <off>',
      'off: without the keys of subjects, whose content cannot be read then',
    ).choices(['off']),
  ],
  load: async () => (await import('./history-export.js')).exportHistory,
};
