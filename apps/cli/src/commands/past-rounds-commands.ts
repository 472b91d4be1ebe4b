import { Option } from 'commander';
import { notNegative, positive, TOKEN_HELP } from '../input/options.js';
import type { HandWritten } from './hand-written.js';

const token = new Option('--token <token>', TOKEN_HELP);
const markdown = new Option('--markdown', 'print the report as Markdown');
const key = new Option('--key <key>', 'the same key and input again: nothing new');

export const runExperiment: HandWritten = {
  words: 'experiments run',
  summary: 'start the experiment in a file, and show its progress and its report',
  args: { '<experiment.json>': 'the body of POST /v1/experiments' },
  options: [new Option('--dry-run', 'only estimate what it would ask and use'), markdown, token, key],
  load: async () => (await import('./run-experiment.js')).runExperiment,
};

export const resumeExperiment: HandWritten = {
  words: 'experiments resume',
  summary:
    'go on with an experiment that its limits stopped, or whose command ended before it, and show its progress and its report',
  args: { '<experiment>': 'its id' },
  options: [
    new Option('--max-cost-usd <n>', 'the new total: what was spent counts').argParser(notNegative),
    new Option('--max-calls <n>', 'the new total: calls that were made count').argParser(positive),
    markdown,
    token,
    key,
  ],
  load: async () => (await import('./run-experiment.js')).resumeExperiment,
};

export const simulate: HandWritten = {
  words: 'simulate',
  summary:
    'decide recorded rounds again under other settings, with the recorded proposals; no model is asked, nothing is written',
  args: { '<machine>': 'its name' },
  options: [
    new Option('--consensus-threshold <share>', 'in every state, from 0 to 1').argParser(notNegative),
    new Option('--quorum <n>', 'in every state').argParser(positive),
    new Option('--trust <json>', 'in every state, such as {"minComparisons":10}'),
    new Option('--arbiter <name>', 'a built-in one, such as alignmentMargin'),
    new Option('--scoring-rule <rule>', 'wilson or ratio, with ;halfLife=<comparisons>'),
    new Option('--from <time>', 'decided at or after this time'),
    new Option('--to <time>', 'decided before this time'),
    new Option('--limit <n>', 'rounds at most; default: all').argParser(positive),
    new Option('--markdown', 'print Markdown'),
    token,
  ],
  load: async () => (await import('./simulate.js')).simulate,
};
