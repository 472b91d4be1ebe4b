import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { EngineSettings, eventCatalogue } from '#lib/engine';
import { type GivenFunctions, type JudgedHistory, regress, type Regression, Today } from '#lib/histories';
import { bodyOf, fileWith, historyFile, resummed } from '#lib/histories/testing';
import { type MachineDefinition, type MachineInput, normalizeMachine } from '#lib/decisions/machines';
import { planner } from '#lib/planner';
import { type Rules, type Step, type Workflow, WorkflowRegistry } from '#lib/workflow';
import { runHistories, sessionHistories } from './golden-histories.js';
import { type History, logOf } from './history.js';
import type { RunsHistory } from './run-histories.js';
import { machine as refunds } from './scenarios.js';

const { workflows } = new EngineSettings({});
const judging = { codec: eventCatalogue(), engine: workflows };

interface Given {
  readonly machine?: unknown;
  readonly functions?: GivenFunctions;
}

function compare(files: readonly string[], { machine, functions = {} }: Given = {}): Promise<Regression> {
  const machines = machine === undefined ? [] : [normalizeMachine(machine as MachineInput)];
  return regress(files, new Today({ machines, functions, workflows }), judging);
}

/** The session, run or conversation of a golden history. */
function rootOf(history: History | RunsHistory): string {
  if ('sessionId' in history) return history.sessionId;
  const { subject } = history;
  return 'runId' in subject ? subject.runId : subject.conversationId;
}

/** The newest golden history of this name. */
function newest(name: string) {
  const found = sessionHistories.all().findLast((one) => one.name.endsWith(`/${name}`));
  if (!found) throw new Error(`There is no history ${name}.`);
  return found.history;
}

/** The definition that its session was created with. */
function recordedMachine(name: string): MachineDefinition {
  const created = newest(name).events.find(({ type }) => type === 'SessionCreated');
  return (JSON.parse(created?.data ?? '') as { readonly machine: MachineDefinition }).machine;
}

/** The newest golden history of this name, as a file. */
async function golden(name: string): Promise<string> {
  const { sessionId, events } = newest(name);
  return fileWith(await historyFile(await logOf(events), sessionId, workflows));
}

async function judged(name: string, given?: Given): Promise<JudgedHistory & { readonly exitCode: number }> {
  const { exitCode, histories } = await compare([await golden(name)], given);
  return { ...(histories[0] as JudgedHistory), exitCode };
}

/** The definition of the recorded machine with another state `triage`. */
function triage(change: (state: (typeof refunds)['states']['triage']) => object): object {
  return { ...refunds, states: { ...refunds.states, triage: change(refunds.states.triage) } };
}

const prompted = triage((state) => ({ ...state, prompt: 'Decide about this request.' }));
const described = triage(({ transitions, ...state }) => ({
  ...state,
  transitions: { ...transitions, deny: { ...transitions.deny, description: 'Pay nothing' } },
}));

describe('a history beside today', () => {
  it('is the same where nothing has changed, for every golden history', async () => {
    const folder = temporaryFolder();
    const files: string[] = [];
    for (const { name, history } of [...sessionHistories.all(), ...runHistories.all()]) {
      const file = join(folder, `${name.replace('/', '-')}.jsonl`);
      writeFileSync(file, await historyFile(await logOf(history.events), rootOf(history), workflows));
      files.push(file);
    }
    const all: JudgedHistory[] = [];
    // Two versions have recorded sessions with the same ids.
    for (const file of files) all.push(...(await compare([file])).histories);
    const different = all.filter(({ verdict }) => verdict !== 'same');
    expect(different).toEqual([]);
    expect(all.length).toBe(files.length);
  });

  it('is the same where it ends before a run of it has asked for anything', async () => {
    const { sessionId, events } = newest('tool-call');
    const begun = events.slice(0, events.findIndex(({ type }) => type === 'WorkflowStarted') + 1);
    const file = fileWith(await historyFile(await logOf(begun), sessionId, workflows));
    expect((await compare([file])).histories).toEqual([expect.objectContaining({ verdict: 'same' })]);
  });

  it.each(['planner', 'code', 'conversation', 'partial-decision', 'context-function', 'retried'])(
    'is the same wherever it stops, before an event that today gives and that is not recorded yet too: %s',
    async (name) => {
      const all = [...sessionHistories.all(), ...runHistories.all()];
      const { history } = all.findLast((one) => one.name.endsWith(`/${name}`)) ?? {};
      if (!history) throw new Error(`There is no history ${name}.`);
      for (let events = 1; events < history.events.length; events++) {
        const cut = await logOf(history.events.slice(0, events));
        const file = fileWith(await historyFile(cut, rootOf(history), workflows));
        const [judgement] = (await compare([file])).histories;
        expect([events, judgement]).toEqual([events, expect.objectContaining({ verdict: 'same' })]);
      }
    },
  );

  it('is the same with the definition that is recorded', async () => {
    expect(await judged('tool-call', { machine: refunds })).toMatchObject({ verdict: 'same', exitCode: 0 });
  });

  it.each(['tool-call', 'needs-human'])(
    'is the same where times of the definition are added and nothing is decided otherwise: %s',
    async (name) => {
      const recorded = recordedMachine(name);
      const state = recorded.states[recorded.initialState];
      const [transition = ''] = Object.keys(state?.transitions ?? {});
      const timed = { ...state, after: [{ in: 'PT9H', transition }] };
      const states = { ...recorded.states, [recorded.initialState]: timed };
      const machine = { ...recorded, states, people: { dueIn: 'PT4H' } };
      expect(await judged(name, { machine })).toMatchObject({ verdict: 'same', exitCode: 0 });
    },
  );

  it('has requests that differ where a prompt has changed: the first one, with the message', async () => {
    expect(await judged('tool-call', { machine: prompted })).toMatchObject({
      verdict: 'requests',
      exitCode: 10,
      first: {
        stream: expect.stringContaining('solicitation-'),
        pointer: expect.stringMatching(/^\/data\/body\/messages\/\d+\/content$/),
        recorded: expect.stringContaining('What should happen'),
        today: expect.stringContaining('Decide about this request.'),
      },
    });
  });

  it('has requests that differ where the schema of a tool has changed', async () => {
    expect(await judged('tool-call', { machine: described })).toMatchObject({
      verdict: 'requests',
      exitCode: 10,
      first: {
        pointer: expect.stringMatching(/^\/data\/body\/tools\/\d+\/function\/description$/),
        today: 'Pay nothing',
      },
    });
  });

  it('has a decision that differs where a transition is gone, although the request differs before', async () => {
    const { correct, deny, escalate } = refunds.states.triage.transitions;
    const machine = triage((state) => ({ ...state, transitions: { correct, deny, escalate } }));
    expect(await judged('tool-call', { machine })).toMatchObject({
      verdict: 'decisions',
      exitCode: 11,
      first: {
        recorded: 'ProposalSubmitted',
        today: 'ProposalFailed',
        pointer: '/type',
        roundId: expect.any(String),
      },
    });
  });

  it('has a decision that differs where arguments are checked otherwise: the reply is read by the schema of today', async () => {
    const { approve, ...others } = refunds.states.triage.transitions;
    const parameters = { type: 'object', properties: { amount: { type: 'number', maximum: 0 } } };
    const machine = triage((state) => ({
      ...state,
      transitions: { approve: { ...approve, parameters, onInvalidArguments: 'reject' }, ...others },
    }));
    expect(await judged('tool-call', { machine })).toMatchObject({ verdict: 'decisions', exitCode: 11 });
  });

  it('has a decision that differs where the rule of a built-in arbiter has changed', async () => {
    const { history } =
      sessionHistories.all().findLast(({ name }) => name.endsWith('/arbiter-built-in')) ?? {};
    const created = JSON.parse(history?.events[0]?.data ?? '') as { machine: object };
    const same = await judged('arbiter-built-in', { machine: created.machine });
    expect(same).toMatchObject({ verdict: 'same' });
    const machine = { ...created.machine, quorum: 3 };
    expect(await judged('arbiter-built-in', { machine })).toMatchObject({
      verdict: 'decisions',
      exitCode: 11,
      first: { stream: expect.stringContaining('session-') },
    });
  });

  it('has a decision that differs where a function is given that decides otherwise; without it the record counts', async () => {
    expect(await judged('arbiter-function')).toMatchObject({ verdict: 'same' });
    const name = await fnNameIn('arbiter-function');
    const fails = { arbiters: { [name]: () => ({ consensusReached: false, reasoning: 'not today' }) } };
    expect(await judged('arbiter-function', { functions: fails })).toMatchObject({
      verdict: 'decisions',
      exitCode: 11,
    });
    const strategies = {
      fails: () => ({ transitionName: 'escalate', toState: 'review', reasoning: 'today' }),
    };
    expect(await judged('failing-strategy', { functions: { strategies } })).toMatchObject({
      verdict: 'decisions',
      exitCode: 11,
      first: { recorded: 'ProposalFailed', today: 'ProposalSubmitted' },
    });
  });

  it('has requests that differ where a function makes another context', async () => {
    const contexts = { archive: () => 'another archive' };
    expect(await judged('context-function', { functions: { contexts } })).toMatchObject({
      verdict: 'requests',
      exitCode: 10,
      first: { pointer: expect.stringContaining('/data/body/messages/') },
    });
  });

  it('has a decision that differs where a workflow ends otherwise: the end of its run', async () => {
    const { history } = runHistories.all().findLast(({ name }) => name.endsWith('/planner')) ?? {};
    if (!history || !('runId' in history.subject)) throw new Error('There is a run of the planner.');
    const { runId } = history.subject;
    const file = fileWith(await historyFile(await logOf(history.events), runId, workflows));
    const ends = (step: Step): Step => (step.do === 'end' ? { ...step, result: 'otherwise' } : step);
    const ended = (rules: Rules): Rules => ({ ...rules, next: (...given) => rules.next(...given).map(ends) });
    const versions = Object.entries(planner.versions).map(([version, rules]) => [version, ended(rules)]);
    const today = { ...planner, versions: Object.fromEntries(versions) as Workflow['versions'] };
    expect((await compare([file])).exitCode).toBe(0);
    const { exitCode, histories } = await regress(
      [file],
      new Today({ workflows: new WorkflowRegistry([today]) }),
      judging,
    );
    expect([exitCode, histories]).toEqual([
      11,
      [
        expect.objectContaining({
          verdict: 'decisions',
          first: {
            stream: `planner-${runId}`,
            revision: history.events.length - 1,
            pointer: '/data/result',
            recorded: expect.anything(),
            today: 'otherwise',
          },
        }),
      ],
    ]);
    const cutAfter = async (events: number) =>
      fileWith(await historyFile(await logOf(history.events.slice(0, events)), runId, workflows));
    const judgedWith = async (file: string, { versions }: Workflow) => {
      const given = new Today({ workflows: new WorkflowRegistry([{ ...planner, versions }]) });
      return (await regress([file], given, judging)).histories[0];
    };
    expect(await judgedWith(await cutAfter(history.events.length - 1), today)).toMatchObject({
      verdict: 'same',
    });
    const asked = history.events.findIndex(({ type }) => type === 'LlmCallRequested') + 1;
    const atOnce = (rules: Rules): Rules => ({ ...rules, next: () => [{ do: 'end', result: 'otherwise' }] });
    const ending = Object.entries(planner.versions).map(([version, rules]) => [version, atOnce(rules)]);
    const unended = await judgedWith(await cutAfter(asked), {
      ...planner,
      versions: Object.fromEntries(ending) as Workflow['versions'],
    });
    expect(unended?.first).toEqual({
      stream: `planner-${runId}`,
      revision: asked - 1,
      pointer: '',
      recorded: null,
      today: { type: 'WorkflowEnded', data: expect.objectContaining({ result: 'otherwise' }) },
    });
  });

  it('diverges where the file contradicts itself, and says where', async () => {
    const lines = bodyOf(await text('tool-call'));
    const at = lines.findIndex((line) => line.includes('"type":"ProposalSubmitted"'));
    const changed = lines[at]?.replace('"transitionName":"', '"transitionName":"x') ?? '';
    const file = fileWith(resummed(lines.with(at, changed)));
    expect(await compare([file])).toMatchObject({
      exitCode: 12,
      histories: [
        {
          verdict: 'diverges',
          first: { stream: expect.stringContaining('session-'), recorded: expect.anything() },
        },
      ],
    });
  });

  it('cannot be compared if the corpus is empty, unreadable, redacted or holds a root twice', async () => {
    expect(await compare([])).toEqual({ exitCode: 13, histories: [] });
    const file = await golden('tool-call');
    expect(await compare([file, `${file}.gone`])).toMatchObject({
      exitCode: 13,
      histories: [
        { verdict: 'same' },
        { verdict: 'unreadable', why: expect.stringContaining('[NoHistory]') },
      ],
    });
    expect(await compare([file, file])).toMatchObject({
      exitCode: 13,
      histories: [{ verdict: 'same' }, { verdict: 'double', why: expect.stringContaining(file) }],
    });
    const found = sessionHistories.all()[0]?.history;
    if (!found) throw new Error('There is a history.');
    const log = await logOf(found.events);
    const redacted = fileWith(await historyFile(log, found.sessionId, workflows, 'content'));
    expect(await compare([redacted])).toMatchObject({ exitCode: 13, histories: [{ verdict: 'unreadable' }] });
  });

  it('has the highest code of all verdicts, unreadable before all', async () => {
    const file = await golden('tool-call');
    const other = await golden('failing-strategy');
    const strategies = {
      fails: () => ({ transitionName: 'escalate', toState: 'review', reasoning: 'today' }),
    };
    const given = { machine: prompted, functions: { strategies } };
    expect((await compare([file], given)).exitCode).toBe(10);
    expect((await compare([file, other], given)).exitCode).toBe(11);
    expect((await compare([file, other, 'none.jsonl'], given)).exitCode).toBe(13);
  });
});

async function text(name: string): Promise<string> {
  const found = sessionHistories.all().findLast((one) => one.name.endsWith(`/${name}`));
  if (!found) throw new Error(`There is no history ${name}.`);
  return historyFile(await logOf(found.history.events), found.history.sessionId, workflows);
}

/** The function that the arbiter of a history names. */
async function fnNameIn(name: string): Promise<string> {
  const [, fnName = ''] = /"strategyFnName":"(\w+)"/.exec(await text(name)) ?? [];
  return fnName;
}
