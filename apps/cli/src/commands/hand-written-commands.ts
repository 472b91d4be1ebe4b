import { type Command, Option } from 'commander';
import { TOKEN_HELP, type TokenOption } from '../input/acting-as.js';
import type { MetaOptions } from '../input/read-meta.js';
import type { Io } from '../io.js';
import { ID_HELP } from '../input/id-help.js';
import { positive } from '../input/positive.js';
import { type Profile, profiles } from '../../../mcp/src/profiles.js';
import type { RunRequest } from '../running/run-machine.js';
import { loadPart } from '#lib/kernel';

export interface ChatOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly conversation?: string;
}

export function addChat(program: Command, io: Io): void {
  program
    .command('chat')
    .description('talk with an agent, a message for each line; events are shown beside it')
    .argument('<agent.json>', 'defined first, in its next version where it has changed')
    .option('--conversation <id>', 'continue this one')
    .option('--meta <json>', 'the context of the conversation, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .option('--token <token>', TOKEN_HELP)
    .action(async (file: string, _options: unknown, command: Command) => {
      const { chat } = await import('./chat.js');
      await chat(file, command.optsWithGlobals<ChatOptions>(), io);
    });
}

export interface DecideOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly as: string;
  readonly reasoning?: string;
}

export function addDecide(program: Command, io: Io): void {
  program
    .command('decide')
    .description('decide a round as a person, also against all proposals')
    .argument('<session>', ID_HELP)
    .argument('<transition>', 'one that the state offers')
    .requiredOption('--as <human>', 'the human specialist who decides')
    .option('--token <token>', TOKEN_HELP)
    .option('--reasoning <text>', 'why')
    .option('--meta <json>', 'data of the decision, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .action(async (session: string, transition: string, _options: unknown, command: Command) => {
      const { decide } = await import('./decide.js');
      await decide(session, transition, command.optsWithGlobals<DecideOptions>(), io);
    });
}

export interface DriveOptions extends GlobalOptions {
  readonly maxTicks: number;
}

export function addDrive(program: Command, io: Io): void {
  program
    .command('drive')
    .description('continue a session until it is at rest or needs a person')
    .argument('<session>', ID_HELP)
    .option('--max-ticks <n>', 'steps at most; see tick', positive, 1000)
    .action(async (session: string, _options: unknown, command: Command) => {
      const { drive } = await import('./drive.js');
      await drive(session, command.optsWithGlobals<DriveOptions>(), io);
    });
}

export type InspectOptions = GlobalOptions & { readonly all?: boolean };

export function addInspect(program: Command, io: Io): void {
  program
    .command('inspect')
    .description(
      'show a session: its state, history, proposals, calls to models and events; or a conversation with its turns',
    )
    .argument('<id>', `of a session: ${ID_HELP}; of a conversation: its id`)
    .option('--all', 'every event of every round; without it decided rounds but the newest are a line each')
    .action(async (named: string, _options: unknown, command: Command) => {
      const { inspect } = await import('./inspect.js');
      await inspect(named, command.optsWithGlobals<InspectOptions>(), io);
    });
}

export interface CopyOptions extends GlobalOptions {
  readonly to: string;
  readonly from?: string;
  readonly verifyOnly?: boolean;
}

export function addLog(program: Command, io: Io): void {
  const group = program.command('log').description('the event log itself: moving it, and who may run it');
  group
    .command('copy')
    .description('copy the log to another engine and verify the copy; run it again after an interruption')
    .requiredOption('--to <log>', 'URL of an EventStoreDB, or path of a SQLite file')
    .option('--from <log>', 'the same; default: the log that the settings name')
    .option('--verify-only', 'copy nothing, only compare')
    .action(async (_options: unknown, command: Command) => {
      const { copy } = await import('./log.js');
      await copy(command.optsWithGlobals<CopyOptions>(), io);
    });
  group
    .command('check')
    .description('look through the whole log file for damage; nothing is written')
    .action(async (_options: unknown, command: Command) => {
      const { check } = await import('./log.js');
      await check(command.optsWithGlobals<GlobalOptions>(), io);
    });
  group
    .command('claim')
    .description(
      'bind the log in EventStoreDB to the read store of these settings; stop what runs on another one first',
    )
    .action(async (_options: unknown, command: Command) => {
      const { claim } = await import('./log.js');
      await claim(command.optsWithGlobals<GlobalOptions>(), io);
    });
}

export interface McpOptions extends GlobalOptions {
  readonly http?: true;
  readonly profile?: Profile;
}

export function addMcp(program: Command, io: Io): void {
  program
    .command('mcp')
    .description('serve the tools of Redial to a model over MCP: on standard input and output, or over HTTP')
    .option('--http', 'streamable HTTP at /mcp (PORT, HOST, REDIAL_API_TOKEN) until a signal comes')
    .addOption(
      new Option(
        '--profile <profile>',
        'what the model may do (REDIAL_MCP_PROFILE, else observe): read; take part where no person is waited for; everything',
      ).choices(profiles),
    )
    .addHelpText('after', '\nOn standard input and output REDIAL_ACTOR_TOKEN names the person who acts.')
    .action(async (_options: unknown, command: Command) => {
      const { serveMcp } = await import('./mcp.js');
      await serveMcp(command.optsWithGlobals<McpOptions>(), io);
    });
}

export type RebuildOptions = GlobalOptions & { readonly all?: true };

export function addProjections(program: Command, io: Io): void {
  const group = program
    .command('projections')
    .description('the read models: how far they are, and filling them again');
  group
    .command('list')
    .description('how far each projection is, and what stops it')
    .action(async (_options: unknown, command: Command) => {
      const { list } = await import('./projections.js');
      await list(command.optsWithGlobals<GlobalOptions>(), io);
    });
  group
    .command('rebuild')
    .description('empty a projection and fill it again from the log; done when it is')
    .argument('[name]')
    .option('--all', 'every projection')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const { rebuild } = await import('./projections.js');
      await rebuild(name, command.optsWithGlobals<RebuildOptions>(), io);
    });
}

export type ReplayOptions = GlobalOptions & { readonly all?: true };

export function addReplay(program: Command, io: Io): void {
  program
    .command('replay')
    .description(
      'derive a recorded session or conversation again from the log alone, and compare event by event',
    )
    .argument('[id]', `of a session: ${ID_HELP}; of a conversation: its id`)
    .option('--all', 'every session and conversation of the log')
    .action(async (session: string | undefined, _options: unknown, command: Command) => {
      const { replay } = await import('./replay.js');
      await replay(session, command.optsWithGlobals<ReplayOptions>(), io);
    });
}

type RunOptions = GlobalOptions & Omit<RunRequest, 'file'>;

export function addRun(program: Command, io: Io): void {
  program
    .command('run')
    .description(
      'run a machine: its proposers are asked, its arbiter decides, until it is at rest or needs a person; or a run of code',
    )
    .argument(
      '<file.json>',
      'the machine, with the specialists it declares; or { "workflow": "code", "input": …, "tools": … }',
    )
    .option('--meta <json>', 'what the session is about, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .option('--max-steps <n>', 'transitions at most', positive, 100)
    .action(async (file: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>();
      const { runCodeIn } = await import('../running/run-workflow.js');
      if (await runCodeIn(file, options, io)) return;
      const { runMachine } = await import('../running/run-machine.js');
      await runMachine({ file, ...options }, io);
    });
}

export function addServe(program: Command, io: Io): void {
  program
    .command('serve')
    .description('run the HTTP server (PORT, HOST, REDIAL_API_TOKEN) until a signal comes')
    .action(async (_options: unknown, command: Command) => {
      const { serve } = await loadPart('the HTTP server', () => import('./serve.js'));
      await serve(command.optsWithGlobals<GlobalOptions>(), io);
    });
}

export function addTick(program: Command, io: Io): void {
  program
    .command('tick')
    .description(
      'take one step: ask a proposer, have the round decided, or find that a person is needed; in every session, or in one',
    )
    .argument('[session]', ID_HELP)
    .action(async (session: string | undefined, _options: unknown, command: Command) => {
      const { tick } = await import('./tick.js');
      await tick(session, command.optsWithGlobals<GlobalOptions>(), io);
    });
}

export function addValidate(program: Command, io: Io): void {
  program
    .command('validate')
    .description('check a machine file, without a log and without defining it; 2 where it is not valid')
    .argument('<machine.json>')
    .action(async (file: string, _options: unknown, command: Command) => {
      const { validate } = await import('./validate.js');
      await validate(file, command.optsWithGlobals<GlobalOptions>().json, io);
    });
}

/** The options that are allowed before and after every command. */
export interface GlobalOptions {
  readonly dataDir?: string;
  readonly json?: true;
}
