import { Option } from 'commander';
import { AT_HELP, ID_HELP, positive, repeated, TOKEN_HELP, wholeNumber } from '../input/options.js';
import type { HandWritten } from './hand-written.js';

export { exportDataset, exportHistory } from './export-commands.js';
export { mcp } from './mcp-command.js';
export { resumeExperiment, runExperiment, simulate } from './past-rounds-commands.js';

function meta(text: string): readonly Option[] {
  const json = new Option('--meta <json>', `${text}, as a JSON object`);
  return [json, new Option('--meta-file <file>', 'the same, from a file')];
}

const FILE_HELP = 'or a history file';
const ROOT_HELP = `of a session: ${ID_HELP}; of a run or a conversation: its id; ${FILE_HELP}`;

const token = new Option('--token <token>', TOKEN_HELP);

export const chat: HandWritten = {
  words: 'chat',
  summary: 'talk with an agent, a message for each line; events are shown on standard error',
  args: { '<agent.json>': 'defined first, in its next version if it has changed' },
  options: [
    new Option('--conversation <id>', 'continue this conversation'),
    ...meta('the context of the conversation'),
    token,
  ],
  load: async () => (await import('./chat.js')).chat,
};

export const console: HandWritten = {
  words: 'console',
  summary:
    'look at a folder or a history file in a browser: serve the console on this machine alone until a signal comes',
  args: { '[file]': 'a history file, in place of the folder' },
  more: 'The address is printed. PORT names another port than a free one.',
  load: async () => (await import('./serve.js')).serveConsole,
};

const actAs = new Option('--act-as <person>', 'the person who acts, on a server without a token');
const key = new Option('--key <key>', 'the same key and input again change nothing');

export const answerTask: HandWritten = {
  words: 'tasks answer',
  summary: 'answer a task as a person, by one of its choices; the task is shown on standard error',
  args: { '<task>': 'its id' },
  options: [
    new Option('--accept <proposal>', 'accept this proposal'),
    new Option('--transition <name>', 'choose this transition'),
    new Option('--approve', 'approve the call'),
    new Option('--reject', 'reject the call'),
    new Option('--payload <json>', 'the answer to the question'),
    new Option('--args <json>', 'arguments in place of the shown ones, or of the transition'),
    new Option('--result <json>', 'of a rejected call that was interrupted: its result'),
    new Option('--reason <text>', 'why'),
    new Option('--digest <sha256>', 'of the shown task; default: of the task as it is now'),
    actAs,
    token,
    key,
  ],
  load: async () => (await import('./answer-task.js')).answerTask,
};

export const decide: HandWritten = {
  words: 'decide',
  summary: 'decide a round as a person, even against all proposals',
  args: { '<session>': ID_HELP, '[transition]': 'a transition that the state offers' },
  options: [
    new Option('--accept <proposal>', 'accept this proposal in place of a transition'),
    new Option('--args <json>', 'arguments of the decision, in place of those of the proposal'),
    new Option('--as <human>', 'the human specialist as whom a person decides'),
    actAs,
    token,
    key,
    new Option('--reasoning <text>', 'why'),
    ...meta('data of the decision'),
  ],
  load: async () => (await import('./decide.js')).decide,
};

export const drive: HandWritten = {
  words: 'drive',
  summary: 'continue a session until it is at rest or needs a person',
  args: { '<session>': ID_HELP },
  options: [new Option('--max-ticks <n>', 'steps at most; see tick').argParser(positive).default(1000)],
  load: async () => (await import('./drive.js')).drive,
};

export const fork: HandWritten = {
  words: 'fork',
  summary:
    'go on from a past revision of a session or a run, or after a turn of a conversation, in a new one; a history file gives a session of another log',
  args: { '<id>': ROOT_HELP },
  options: [
    new Option(
      '--at <at>',
      'the last revision, or the id of the last turn, that the fork keeps',
    ).makeOptionMandatory(),
    new Option('--overrides <json>', 'the changes of the fork, as a JSON object'),
    new Option(
      '--effects <effects>',
      '`hold`: calls that change something wait for an approval; `allow`: they do not',
    ).choices(['hold', 'allow']),
    new Option('--reason <text>', 'why'),
    token,
    key,
  ],
  load: async () => (await import('./fork.js')).fork,
};

export const inspect: HandWritten = {
  words: 'inspect',
  summary:
    'show a session: its state, history, proposals, calls to models and events; a run; or a conversation with its turns',
  args: { '<id>': ROOT_HELP },
  options: [
    new Option(
      '--all',
      'every event of every round; default: one line for each decided round but the newest',
    ),
    new Option('--at <moment>', AT_HELP),
  ],
  load: async () => (await import('./inspect.js')).inspect,
};

export const log: readonly HandWritten[] = [
  {
    words: 'log copy',
    summary: 'copy the log to another engine and verify the copy; run it again after an interruption',
    options: [
      // Other users of the machine can read the arguments of a process, and a URL may hold a password.
      new Option('--to <log>', 'URL of an EventStoreDB, or path of a SQLite file')
        .env('REDIAL_COPY_TO')
        .makeOptionMandatory(),
      new Option('--from <log>', 'the same; default: the log that the settings name').env('REDIAL_COPY_FROM'),
      new Option('--verify-only', 'only compare'),
    ],
    load: async () => (await import('./log-copy.js')).copy,
  },
  {
    words: 'log check',
    summary: 'check the whole log for damage, event by event; the log is only read',
    load: async () => (await import('./log.js')).check,
  },
  {
    words: 'log claim',
    summary:
      'bind the log in EventStoreDB to the read store of these settings; stop the engines on another one first',
    load: async () => (await import('./log.js')).claim,
  },
];

export const keys: HandWritten = {
  words: 'keys rotate',
  summary:
    'wrap the keys of subjects with the master key in REDIAL_MASTER_KEY_NEW; stop all engines on the log first',
  load: async () => (await import('./keys.js')).rotate,
};

export const projections: readonly HandWritten[] = [
  {
    words: 'projections list',
    summary: 'the position of each projection, and the error that stops it',
    load: async () => (await import('./projections.js')).list,
  },
  {
    words: 'projections rebuild',
    summary: 'fill rows again from the log, beside the current rows; ends when they are filled',
    args: { '[name]': '' },
    options: [new Option('--all', 'every projection')],
    load: async () => (await import('./projections.js')).rebuild,
  },
  {
    words: 'projections prepare',
    summary: 'fill the rows of this version before an upgrade, beside the server of the version before',
    load: async () => (await import('./projections.js')).prepare,
  },
];

export const prove: HandWritten = {
  words: 'prove',
  summary:
    'show what the sessions of a machine file can do, and check the properties that it states; exit 8 if one does not hold',
  args: { '<machine.json>': '' },
  load: async () => (await import('./prove.js')).prove,
};

export const regress: HandWritten = {
  words: 'regress',
  summary:
    "compare histories with today's code and definitions, with the recorded replies; nothing is called; without --import the record of functions counts",
  args: { '[paths...]': 'history files, and folders of them' },
  options: [
    new Option('--machine <file>', 'a current definition; may be given several times').argParser(repeated),
    new Option('--newest', 'runs follow the newest version of their workflow; default: the one they name'),
    new Option('--junit <file>', 'also write the verdicts as JUnit XML'),
  ],
  load: async () => (await import('./regress.js')).regress,
};

export const replay: HandWritten = {
  words: 'replay',
  summary:
    'derive a recorded session, run or conversation again from the log alone, and compare event by event',
  args: { '[id]': ROOT_HELP },
  options: [
    new Option('--all', 'every session, conversation and experiment of the log'),
    new Option(
      '--jobs <n>',
      'with --all: the number of threads, at most one for each core; default: 1',
    ).argParser(positive),
    new Option('--at <moment>', AT_HELP),
  ],
  load: async () => (await import('./replay.js')).replay,
};

export const run: HandWritten = {
  words: 'run',
  summary:
    'run a machine: its proposers are asked, its arbiter decides, until it is at rest or needs a person; or a run of code',
  args: {
    '<file.json>':
      'the machine, with the specialists it declares; or { "workflow": "code", "input": …, "tools": … }',
  },
  options: [
    ...meta('the case of the session'),
    new Option('--max-steps <n>', 'transitions at most').argParser(positive).default(100),
    new Option('--token <token>', 'of the person who creates it (or REDIAL_ACTOR_TOKEN)'),
  ],
  more: 'The word may be left out: `redial machine.json`.',
  load: async () => (await import('./drive.js')).run,
};

export const serve: HandWritten = {
  words: 'serve',
  summary: 'run the HTTP server (PORT, HOST, REDIAL_API_TOKEN) until a signal comes',
  load: async () => (await import('./serve.js')).serve,
};

export const tick: HandWritten = {
  words: 'tick',
  summary:
    'take one step in every session, or in one: ask a proposer, have the round decided, or find that a person is needed',
  args: { '[session]': ID_HELP },
  load: async () => (await import('./tick.js')).tick,
};

export const validate: HandWritten = {
  words: 'validate',
  summary:
    'check the file of a machine or a gate without a log; --import also checks the functions and workflows that it names; 2 if it is not valid',
  args: { '<file.json>': '' },
  load: async () => (await import('./validate.js')).validate,
};

export const why: HandWritten = {
  words: 'why',
  summary:
    'show the events that led to a decision, a turn or the end of a run, back to the calls and the beginning',
  args: { '<id>': ROOT_HELP },
  options: [
    new Option('--revision <n>', 'of the event; default: the last decision, else the last event').argParser(
      wholeNumber,
    ),
    new Option('--at <moment>', AT_HELP),
  ],
  load: async () => (await import('./why.js')).why,
};

export const diff: HandWritten = {
  words: 'diff',
  summary: 'compare two sessions, decided round by decided round; ids and times are not compared',
  args: { '<a>': `${ID_HELP}; ${FILE_HELP}`, '<b>': 'the other one' },
  load: async () => (await import('./diff.js')).diff,
};

export const verify: HandWritten = {
  words: 'verify',
  summary:
    'compare a log, or a history file, with its seals; exit 3 if an event differs, 7 if the signer is not known',
  args: { '[file]': 'a history file, which needs no log; default: the log of the settings' },
  options: [
    new Option('--public-key <file>', 'the public key of the signer, in PEM form'),
    new Option('--since <file>', 'a seal that was kept outside the log: finds a tail that was cut off'),
  ],
  load: async () => (await import('./verify.js')).verify,
};
