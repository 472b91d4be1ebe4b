import { Option } from 'commander';
import { notNegative, positive, TOKEN_HELP } from '../input/options.js';
import type { HandWritten } from './hand-written.js';

const token = new Option('--token <token>', TOKEN_HELP);
const markdown = new Option('--markdown', 'print the report as Markdown');
const key = new Option('--key <key>', 'the same key and input again change nothing');

export const runExperiment: HandWritten = {
  words: 'experiments run',
  summary: 'start the experiment in a file, and show its progress and its report',
  args: { '<experiment.json>': 'the body of POST /v1/experiments' },
  options: [new Option('--dry-run', 'only estimate its calls and usage'), markdown, token, key],
  load: async () => (await import('./run-experiment.js')).runExperiment,
};

export const resumeExperiment: HandWritten = {
  words: 'experiments resume',
  summary:
    'resume an experiment that its limits stopped, or whose command ended early, and show its progress and its report',
  args: { '<experiment>': 'its id' },
  options: [
    new Option('--max-cost-usd <n>', 'the new total, which includes the cost so far').argParser(notNegative),
    new Option('--max-calls <n>', 'the new total, which includes the calls so far').argParser(positive),
    markdown,
    token,
    key,
  ],
  load: async () => (await import('./run-experiment.js')).resumeExperiment,
};

export const simulate: HandWritten = {
  words: 'simulate',
  summary:
    'decide recorded rounds again under other settings, with the recorded proposals; no model is asked, no event is written',
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
