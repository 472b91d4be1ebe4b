import { describe, expect, it } from '@jest/globals';
import { inspectMachine } from './inspect-machine.js';

const sound = {
  machineName: 'triage',
  initialState: 'open',
  goalState: 'done',
  states: { open: { transitions: { close: 'done' } }, done: {} },
};
const nothing = { valid: true, errors: [], warnings: [] };
const proposer = { role: 'proposer', specialistId: 'ada' };

const withState = (open: object) => ({ ...sound, states: { open, done: {} } });
const withTransition = (close: unknown) => withState({ transitions: { close } });
const withParameters = (parameters: unknown) => withTransition({ target: 'done', parameters });

function problemsOf(value: unknown): string[] {
  return inspectMachine(value).errors.map(({ kind, path, message }) => `${kind} ${path} ${message}`);
}
function warningsOf(value: unknown): string[] {
  return inspectMachine(value).warnings.map(({ path, message }) => `${path} ${message}`);
}

describe('inspectMachine: shape', () => {
  it('finds no problem in a valid machine', () => {
    expect(inspectMachine(sound)).toEqual(nothing);
  });

  it('case 5: accepts an enriched transition to a state that exists', () => {
    expect(
      inspectMachine(
        withTransition({ target: 'done', description: 'Close', parameters: { type: 'object' } }),
      ),
    ).toEqual(nothing);
  });

  it('case 45: accepts plain and enriched transitions in one state', () => {
    const transitions = { close: { target: 'done', description: '' }, drop: 'done' };
    expect(inspectMachine(withState({ transitions }))).toEqual(nothing);
  });

  it.each([null, 'text', 7, true, [], undefined])(
    'D-5: calls %j malformed: a machine is an object',
    (value) => {
      expect(problemsOf(value)).toEqual(['malformed  must be of type object']);
    },
  );

  it('D-1, D-5: names every member that is missing', () => {
    expect(problemsOf({}).toSorted()).toEqual([
      'invalid /goalState is missing: "goalState" is required here',
      'invalid /initialState is missing: "initialState" is required here',
      'invalid /machineName is missing: "machineName" is required here',
      'invalid /states is missing: "states" is required here',
    ]);
  });

  it('refuses empty names', () => {
    const empty = {
      machineName: '',
      initialState: '',
      goalState: '',
      states: { '': { transitions: { '': '' } } },
    };
    expect(problemsOf(empty).toSorted()).toEqual([
      'invalid /goalState must not be empty',
      'invalid /initialState must not be empty',
      'invalid /machineName must match ^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$',
      'invalid /states/ must have a name that is not empty',
      'invalid /states//transitions/ must have a name that is not empty',
    ]);
  });

  it.each(['-x', 'a b', 'a/b', 'x'.repeat(129), 'a\n'])('refuses the machine name %j', (machineName) => {
    expect(problemsOf({ ...sound, machineName })).toEqual([
      'invalid /machineName must match ^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$',
    ]);
  });

  it('calls unknown properties malformed, wherever they are', () => {
    const value = {
      ...sound,
      a: 1,
      specialists: [{ ...proposer, machineName: 'triage' }],
      states: { open: { b: 1, transitions: { close: { target: 'done', 'c/d': 1 } } }, done: {} },
    };
    expect(problemsOf(value).toSorted()).toEqual([
      'malformed /a is unknown: there is no property "a" here',
      'malformed /specialists/0/machineName is unknown: there is no property "machineName" here',
      'malformed /states/open/b is unknown: there is no property "b" here',
      'malformed /states/open/transitions/close/c~1d is unknown: there is no property "c/d" here',
    ]);
  });

  it('calls values of another type malformed, wherever they are', () => {
    const value = {
      machineName: 1,
      initialState: null,
      goalState: [],
      consensusThreshold: '1',
      specialists: {},
      states: {
        a: null,
        b: { prompt: 1, transitions: [], consensusThreshold: null, specialists: [7] },
        c: {
          transitions: { x: 1, y: { target: 1, description: 1, parameters: true, onInvalidArguments: 1 } },
        },
      },
    };
    const { errors } = inspectMachine(value);
    expect(
      errors
        .filter(({ kind }) => kind === 'malformed')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      '/consensusThreshold',
      '/goalState',
      '/initialState',
      '/machineName',
      '/specialists',
      '/states/a',
      '/states/b/consensusThreshold',
      '/states/b/prompt',
      '/states/b/specialists/0',
      '/states/b/transitions',
      '/states/c/transitions/x',
      '/states/c/transitions/y/description',
      '/states/c/transitions/y/onInvalidArguments',
      '/states/c/transitions/y/parameters',
      '/states/c/transitions/y/target',
    ]);
  });

  it.each([-0.1, 1.1])('D-1: refuses the consensus threshold %d', (consensusThreshold) => {
    expect(problemsOf({ ...sound, consensusThreshold })).toEqual([
      expect.stringMatching(/^invalid \/consensusThreshold must be [<>]= [01]$/),
    ]);
  });

  it.each([0, -1, 1.5])('X-T1: refuses the quorum %d', (quorum) => {
    const message = quorum === 1.5 ? 'must be of type integer' : 'must be >= 1';
    expect(problemsOf({ ...sound, quorum })[0]).toMatch(` /quorum ${message}`);
    expect(problemsOf(withState({ transitions: { close: 'done' }, quorum }))[0]).toMatch(
      ` /states/open/quorum ${message}`,
    );
  });

  it.each([0, 1])('accepts the consensus threshold %d', (consensusThreshold) => {
    expect(inspectMachine({ ...sound, consensusThreshold })).toEqual(nothing);
  });

  it('refuses a policy for invalid arguments that does not exist', () => {
    expect(problemsOf(withTransition({ target: 'done', onInvalidArguments: 'retry' }))).toEqual([
      'invalid /states/open/transitions/close/onInvalidArguments must be one of "accept", "reject", "reask"',
    ]);
  });

  it('refuses what is nested without end', () => {
    const endless: Record<string, unknown> = {};
    endless['more'] = endless;
    expect(problemsOf(withParameters(endless))).toEqual(['malformed  is nested more than 100 levels deep']);
  });
});

describe('inspectMachine: states', () => {
  it.each(['initialState', 'goalState'])('D-5: refuses an %s that is no state', (member) => {
    expect(problemsOf({ ...sound, [member]: 'nowhere' })).toEqual([
      `invalid /${member} ${member} is the non-existent state "nowhere"`,
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'refuses the target %s where it is no state',
    (target) => {
      expect(problemsOf(withTransition(target))).toEqual([
        `invalid /states/open/transitions/close transition "close" of state "open" leads to the non-existent state "${target}"`,
      ]);
      expect(problemsOf({ ...sound, goalState: target })).toHaveLength(1);
    },
  );

  it.each(['__proto__', 'constructor', 'toString'])('accepts a state and a transition called %s', (name) => {
    const states = Object.fromEntries([
      [name, { transitions: Object.fromEntries([[name, 'done']]) }],
      ['done', {}],
    ]);
    expect(inspectMachine({ ...sound, initialState: name, states })).toEqual(nothing);
  });

  it('reads defaultState as the goal', () => {
    const { goalState: _, ...rest } = sound;
    expect(inspectMachine({ ...rest, defaultState: 'done' })).toEqual(nothing);
    expect(problemsOf({ ...rest, defaultState: 'nowhere' })).toEqual([
      'invalid /defaultState defaultState is the non-existent state "nowhere"',
    ]);
  });

  it('D-1: accepts both names of the goal when they agree, and refuses them when they differ', () => {
    expect(inspectMachine({ ...sound, defaultState: 'done' })).toEqual(nothing);
    expect(problemsOf({ ...sound, defaultState: 'open' })).toEqual([
      'invalid /defaultState is the old name of goalState and differs from it: leave it out',
    ]);
  });
});

describe('inspectMachine: parameters', () => {
  const at = '/states/open/transitions/close/parameters';

  it('D-5: points into a schema at what is not JSON Schema', () => {
    const parameters = { type: 'object', properties: { a: { type: 'strin' } }, required: 'a' };
    expect(problemsOf(withParameters(parameters)).toSorted()).toEqual([
      expect.stringContaining(
        `invalid ${at}/properties/a/type is no JSON Schema that can be used: must be one of`,
      ),
      expect.stringContaining(
        `invalid ${at}/required is no JSON Schema that can be used: must be a list of different strings`,
      ),
    ]);
  });

  it('refuses a pattern that is not a regular expression', () => {
    expect(problemsOf(withParameters({ properties: { a: { pattern: '(' } } }))).toEqual([
      expect.stringContaining('is not a usable pattern: error parsing regexp: missing closing )'),
    ]);
  });

  it('refuses a reference that leads nowhere, or out of the schema', () => {
    expect(problemsOf(withParameters({ $ref: '#/$defs/none' }))).toEqual([
      expect.stringContaining(`${at}/$ref is no JSON Schema that can be used: leads to no schema`),
    ]);
    expect(problemsOf(withParameters({ $ref: 'https://example.org/x' }))).toHaveLength(1);
  });

  it('refuses a type that is not object', () => {
    expect(problemsOf(withParameters({ type: 'string' }))).toEqual([
      expect.stringContaining(`invalid ${at}/type must be`),
    ]);
  });

  it('reads draft-07 when the schema says so, and refuses dialects it does not know', () => {
    const tuple = { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }] } } };
    const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple };
    expect(inspectMachine(withParameters(draft07))).toEqual(nothing);
    expect(problemsOf(withParameters(tuple))).toEqual([expect.stringContaining(`${at}/properties/a/items `)]);
    expect(problemsOf(withParameters({ $schema: 'urn:mine' }))).toEqual([
      expect.stringContaining(`${at}/$schema `),
    ]);
  });

  it('lets schemas of one machine share an $id', () => {
    const parameters = () => ({
      $id: 'https://example.org/x',
      type: 'object',
      properties: { a: { $id: 'https://example.org/y', type: 'string' } },
    });
    const transitions = {
      close: { target: 'done', parameters: parameters() },
      drop: { target: 'done', parameters: parameters() },
    };
    expect(inspectMachine(withState({ transitions }))).toEqual(nothing);
  });

  it('leaves unknown properties inside parameters alone', () => {
    expect(
      inspectMachine(withParameters({ type: 'object', 'x-hint': 1, properties: { a: { format: 'odd' } } })),
    ).toEqual(nothing);
  });
});

describe('inspectMachine: specialists', () => {
  it('checks ids, roles and types', () => {
    const specialists = [
      { role: 'voter', specialistId: 'a b' },
      { isHuman: 'yes', threshold: null },
    ];
    expect(problemsOf({ ...sound, specialists }).toSorted()).toEqual([
      'invalid /specialists/0/role must be one of "proposer", "arbiter"',
      'invalid /specialists/0/specialistId must match ^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$',
      'invalid /specialists/1/role is missing: "role" is required here',
      'invalid /specialists/1/specialistId is missing: "specialistId" is required here',
      'malformed /specialists/1/isHuman must be of type boolean',
      'malformed /specialists/1/threshold must be of type number',
    ]);
  });

  it('accepts the same specialist in several places, disabled or not', () => {
    const again = { disabled: true, specialistId: 'ada', role: 'proposer' };
    const states = { open: { transitions: { close: 'done' }, specialists: [again] }, done: {} };
    expect(inspectMachine({ ...sound, specialists: [proposer], states })).toEqual(nothing);
  });

  it('refuses an id of two different specialists', () => {
    const states = {
      open: { transitions: { close: 'done' }, specialists: [{ ...proposer, modelId: 'm' }] },
      done: {},
    };
    expect(problemsOf({ ...sound, specialists: [proposer], states })).toEqual([
      'invalid /states/open/specialists/0 declares specialist "ada" again, with another body',
    ]);
  });
});

it.each(['string', 'array', ['object', 'null']])('X-D5: refuses parameters of the type %j', (type) => {
  const transitions = { close: { target: 'done', parameters: { type } } };
  expect(inspectMachine(withState({ transitions })).errors).toMatchObject([
    { path: '/states/open/transitions/close/parameters/type' },
  ]);
});

describe('inspectMachine: warnings', () => {
  it('X-D5: warns of a tool whose name providers may refuse, and not of a plain transition', () => {
    const transitions = { 'close it': { target: 'done', description: '' }, 'drop it': 'done' };
    expect(warningsOf(withState({ transitions }))).toEqual([
      '/states/open/transitions/close it the name "close it" does not match ^[a-zA-Z0-9_-]{1,64}$: its tool is sent under another name, which each call records',
    ]);
  });

  it('X-D5: warns of parameters that take no object, whose arguments are wrapped', () => {
    const transitions = { pay: { target: 'done', parameters: { type: 'array' } } };
    expect(warningsOf(withState({ transitions }))).toEqual([
      '/states/open/transitions/pay/parameters take no object: arguments are an object whose member "value" they describe',
    ]);
  });

  it('warns of states that no session reaches', () => {
    expect(
      warningsOf({ ...sound, states: { ...sound.states, 'a/b': { transitions: { x: 'open' } } } }),
    ).toEqual(['/states/a~1b state "a/b" cannot be reached from the initial state']);
  });

  it('warns of states from which no session reaches the goal', () => {
    const states = {
      open: { transitions: { close: 'done', drop: 'dropped', wait: 'waiting' } },
      done: {},
      dropped: {},
      waiting: { transitions: { more: 'waiting' } },
    };
    expect(warningsOf({ ...sound, states })).toEqual([
      '/states/dropped state "dropped" is a dead end: it has no transitions and is not the goal',
      '/states/waiting state "waiting" is a dead end: no way leads from it to the goal',
    ]);
  });

  it('does not speak of reachability while there are errors', () => {
    expect(warningsOf({ ...sound, states: { open: { transitions: { close: 'dome' } }, done: {} } })).toEqual(
      [],
    );
  });
});
