import { describe, expect, it } from '@jest/globals';
import type { AgentInput, StepInput } from './agent-definition.js';
import { agentDiagram } from './agent-diagram.rules.js';
import { defineAgent } from './define-agent.js';
import { inspectAgent } from './inspect-agent.rules.js';
import { normalizeAgent } from './normalize-agent.rules.js';

const schema = { type: 'object', properties: { name: { type: 'string' }, day: { type: 'string' } } };
const booking = { title: 'Booking', steps: [{ prompt: 'Ask {{data.name}}', collect: ['day'] }] };
const agent = (changes: object = {}): AgentInput => ({
  agentName: 'clerk',
  model: 'm',
  schema,
  flows: [booking],
  ...changes,
});
const withStep = (step: StepInput, rest: readonly StepInput[] = []) =>
  agent({ flows: [{ title: 'Booking', steps: [step, ...rest] }] });
const pathsOf = (value: unknown) => inspectAgent(value).errors.map(({ path }) => path);

describe('an agent', () => {
  it('F-1, F-2: gets its defaults, and keeps what it says', () => {
    expect(inspectAgent(agent())).toMatchObject({ valid: true, errors: [] });
    expect(normalizeAgent(agent())).toMatchObject({
      flowSwitchMargin: 15,
      maxAutoStepsPerTurn: 10,
      maxDirectiveChain: 10,
      initialData: {},
      flows: [{ reentrant: false, steps: [{ id: expect.any(String), next: [] }] }],
    });
  });

  it.each([
    ['a member that it does not have', agent({ colour: 'red' }), ['/colour'], true],
    ['no flow', agent({ flows: [] }), ['/flows'], false],
    [
      'data that do not fit',
      agent({ initialData: { name: 1, size: 2 } }),
      ['/initialData/size', '/initialData/name'],
      false,
    ],
    ['a schema of no object', agent({ schema: { type: 'string' } }), ['/schema/type'], false],
    ['a title twice', agent({ flows: [booking, { ...booking, id: 'two' }] }), ['/flows/1/title'], false],
    ['an id twice', agent({ flows: [booking, booking] }), ['/flows/1/id', '/flows/1/title'], false],
    [
      'a tool twice in one scope',
      agent({ tools: ['find', { tool: 'find', validateInput: { expr: 'true' } }] }),
      ['/tools/1'],
      false,
    ],
    [
      'an instruction twice',
      agent({ instructions: [{ prompt: 'Be kind' }, { prompt: 'Be kind' }] }),
      ['/instructions/1/id'],
      false,
    ],
  ])('F-2, F-3: is refused for %s', (_, value, paths, isMalformed) => {
    expect([pathsOf(value), inspectAgent(value).isMalformed]).toEqual([paths, isMalformed]);
  });

  it('F-2: is refused for all problems at once, each with a pointer', () => {
    const flow = {
      title: 'Booking',
      requiredFields: ['size'],
      onComplete: 'None',
      steps: [{ collect: ['size'], requires: ['size'], next: 'lost', prompt: '{{data.size}}' }],
    };
    expect(pathsOf(agent({ flows: [flow] }))).toEqual([
      '/flows/0/requiredFields/0',
      '/flows/0/onComplete',
      '/flows/0/steps/0/collect/0',
      '/flows/0/steps/0/requires/0',
      '/flows/0/steps/0/prompt',
      '/flows/0/steps/0/next',
    ]);
  });

  it('F-3: built in TypeScript, names data that its schema has, or does not compile', () => {
    const properties = { name: { type: 'string' }, day: { type: 'string' } };
    const typed = { agentName: 'clerk', model: 'm', schema: { type: 'object' as const, properties } };
    const steps = [{ prompt: 'Ask', collect: ['day' as const] }];
    expect(
      defineAgent({ ...typed, flows: [{ title: 'Booking', requiredFields: ['name'], steps }] }),
    ).toMatchObject({ flows: [{ title: 'Booking' }] });
    // @ts-expect-error -- no property of the schema
    expect(() => defineAgent({ ...typed, flows: [{ title: 'x', requiredFields: ['size'], steps }] })).toThrow(
      '[InvalidAgent] agent clerk: /flows/0/requiredFields/0',
    );
    // @ts-expect-error -- no property of the schema
    expect(() => defineAgent({ ...typed, initialData: { size: 1 }, flows: [{ title: 'x', steps }] })).toThrow(
      '/initialData/size',
    );
  });

  it('F-6: has ids that follow from titles, descriptions and places', () => {
    const flows = [{ title: 'Booking a visit!', steps: [{ description: 'Ask the day' }, { auto: true }] }];
    const [flow] = normalizeAgent(agent({ flows })).flows;
    expect(flow?.id).toMatch(/^flow_booking_a_visit_[0-9a-f]{8}$/);
    expect(flow?.steps.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^step_ask_the_day_[0-9a-f]{8}$/),
      expect.stringMatching(/^step_2_[0-9a-f]{8}$/),
    ]);
    expect(flow?.steps[0]?.next).toEqual([flow?.steps[1]?.id]);
    expect(normalizeAgent(agent({ flows }))).toEqual(normalizeAgent(agent({ flows })));
  });

  it('is the same agent when its normalized definition is given again', () => {
    const flows = [
      { ...booking, when: 'x', steps: [{ auto: true, branches: [{ then: 'Booking' }] }, { reply: 'y' }] },
    ];
    const normalized = normalizeAgent(agent({ flows, instructions: [{ prompt: 'Be kind' }] }));
    expect(inspectAgent(normalized).errors).toEqual([]);
    expect(normalizeAgent(normalized as AgentInput)).toEqual(normalized);
  });

  it('F-18: a step asks the model, is passed, or says its reply: never two of these', () => {
    expect(pathsOf(withStep({ auto: true, prompt: 'x', collect: ['day'] }))).toEqual([
      '/flows/0/steps/0/prompt',
      '/flows/0/steps/0/collect',
    ]);
    expect(pathsOf(withStep({ reply: 'Hello', collect: ['day'] }))).toEqual(['/flows/0/steps/0/collect']);
    expect(pathsOf(withStep({ reply: 'Hello', auto: true }))).toEqual(['/flows/0/steps/0/reply']);
  });

  it('F-40, F-41: only its last branch may apply always, and each leads somewhere', () => {
    const branches = [{ then: 'Booking' }, { when: 'they are angry', then: 'lost' }];
    expect(pathsOf(withStep({ branches }))).toEqual([
      '/flows/0/steps/0/branches/0',
      '/flows/0/steps/0/branches/1/then',
    ]);
    expect(pathsOf(withStep({ branches: [] }))).toEqual(['/flows/0/steps/0/branches']);
  });

  it.each(['!', '! ', ' !', '!!x', ' ', ''])('F-25: a condition or an exclusion has a text: %j', (when) => {
    const branches = [{ when: ['they are angry', when], then: 'Booking' }];
    expect(pathsOf(withStep({ branches }))).toContain('/flows/0/steps/0/branches/0/when/1');
  });

  it.each(['!x', ' !x', ' ! x', 'x!'])(
    'F-25: spaces around the exclamation mark count for nothing: %j',
    (when) => {
      expect(pathsOf(withStep({ branches: [{ when: ['they are angry', when], then: 'Booking' }] }))).toEqual(
        [],
      );
    },
  );

  it('F-33: a directive in it has one position, and names what is there', () => {
    const branch = (then: object) => withStep({ branches: [{ then }] });
    const base = '/flows/0/steps/0/branches/0/then';
    expect(pathsOf(branch({ goTo: 'Booking', reset: true }))).toEqual([base]);
    expect(pathsOf(branch({ goTo: 'lost' }))).toEqual([`${base}/goTo`]);
    expect(pathsOf(branch({ goToStep: 'lost' }))).toEqual([base]);
    expect(pathsOf(branch({ abort: 'enough', reply: 'bye' }))).toEqual([`${base}/reply`]);
    expect(pathsOf(branch({}))).toEqual([base]);
    expect(pathsOf(branch({ complete: { next: { goTo: 'lost' } } }))).toEqual([`${base}/complete/next/goTo`]);
    expect(pathsOf(branch({ dataUpdate: { size: 1 } }))).toEqual([`${base}/dataUpdate/size`]);
  });

  it('F-43: an instruction has a known kind, and names known data', () => {
    expect(pathsOf(agent({ instructions: [{ prompt: 'x', kind: 'may' }] }))).toEqual([
      '/instructions/0/kind',
    ]);
    expect(pathsOf(agent({ instructions: [{ prompt: 'Say {{data.size}}' }] }))).toEqual([
      '/instructions/0/prompt',
    ]);
    expect(pathsOf(agent({ instructions: [{ prompt: 'Say {{#x}}' }] }))).toEqual(['/instructions/0/prompt']);
  });

  it.each([
    [{ behavior: 'cooldown' }, '/signals/0/behavior', 'is cooldown without cooldownMs'],
    [{ cooldownMs: 5 }, '/signals/0/cooldownMs', 'has no effect'],
    [{ behavior: 'once', cooldownMs: 5 }, '/signals/0/cooldownMs', 'has no effect'],
  ] as const)('0.2-V14: is valid with a signal of %j, with a warning', (timing, path, message) => {
    const warned = agent({ signals: [{ id: 'anger', phase: 'pre', ...timing }] });
    expect(inspectAgent(warned)).toMatchObject({
      valid: true,
      warnings: [{ path, message: expect.stringContaining(message) }],
    });
  });

  it.each([{ behavior: 'cooldown', cooldownMs: 5 }, { behavior: 'always' }, {}] as const)(
    'has no warning for a signal of %j',
    (timing) => {
      expect(inspectAgent(agent({ signals: [{ id: 'anger', phase: 'pre', ...timing }] })).warnings).toEqual(
        [],
      );
    },
  );

  it('is drawn as a flowchart with its branches', () => {
    const flows = [
      {
        title: 'Booking',
        onComplete: 'Bye',
        steps: [{ id: 'a', branches: [{ when: 'no', then: 'Bye' }] }, { id: 'b' }],
      },
      { title: 'Bye', steps: [{ id: 'c', description: 'Say "bye"' }] },
    ];
    expect(agentDiagram(normalizeAgent(agent({ flows })))).toBe(
      [
        'flowchart TD',
        '    subgraph f0["Booking"]',
        '      f0s0["a"]',
        '      f0s1["b"]',
        '    end',
        '    subgraph f1["Bye"]',
        '      f1s0["Say #34;bye#34;"]',
        '    end',
        '    f0s0 --> f0s1',
        '    f0s0 -. "no" .-> f1',
        '    f0 ==> f1',
        '',
      ].join('\n'),
    );
  });
});
