import { describe, expect, it } from '@jest/globals';
import { derivedId, jsonText } from '#lib/kernel';
import type { CodeInput } from './code.input.js';
import { transcriptOf } from './chat.rules.js';
import { inputProblems } from './input-problems.rules.js';
import { wholeResult } from './result.rules.js';
import { given, openCalls, plays, replies, stateOf, tool, toolOk } from './testing/code-history.js';

const hello = "yield <Message>Hello</Message>;\nreturn { action: 'listen' };";
const button = {
  name: 'Button',
  description: 'A choice',
  aliases: ['Choice'],
  props: { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] },
  leaf: true,
};

function chat(input: Partial<CodeInput> = {}) {
  return given({ chat: true, ...input });
}

/** A turn in which the user writes this text, and the model replies with these programs. */
async function turn(history: ReturnType<typeof given>, text: string, programs: readonly string[]) {
  const number = [...history.open.keys()].find((id) => id.startsWith('message-')) ?? '';
  history.signal(number, { text });
  for (const program of programs) await plays(replies(history, program));
  return history;
}

/** The messages of a first turn with one program, and the ends of its iterations. */
async function said(program: string, input: Partial<CodeInput> = {}) {
  const history = await turn(chat(input), 'Hi', [program]);
  const sent = history.recorded.flatMap(({ type, data }) => (type === 'MessageSent' ? [data] : []));
  return { history, sent, statuses: stateOf(history).iterations.map(({ status }) => status) };
}

describe('conversations', () => {
  it('L-7 L-12 L-45: wait for a message, send what the code yields, and wait again with the exit `listen`', async () => {
    const history = chat();
    expect([...history.open.keys()]).toEqual(['message-1']);
    await turn(history, 'Hi', [hello]);
    expect([...history.open.keys()]).toEqual(['message-2']);
    await turn(history, 'And?', [hello]);
    expect(transcriptOf(stateOf(history))).toMatchObject([
      { role: 'user', text: 'Hi' },
      { role: 'assistant', component: 'Message', children: ['Hello'], text: 'Hello' },
      { role: 'user', text: 'And?' },
      { role: 'assistant', messageId: derivedId(history.run.runId, 'iteration-2-code.call-1') },
    ]);
  });

  it('L-45: a transcript from before is shown to the model: user, assistant, event, summary', () => {
    const transcript = [
      { role: 'summary', text: 'They met.' },
      { role: 'assistant', text: 'Yes?' },
      { role: 'event', text: 'The order came.' },
    ] as const;
    const { messages, iterations } = stateOf(chat({ transcript }));
    for (const { text } of transcript) expect(jsonText(messages.at(-1))).toContain(text);
    expect(iterations).toHaveLength(1);
    expect(chat({ transcript: transcript.slice(0, 2) }).open).toHaveProperty('size', 1);
  });

  it('61: variables of a turn are there in the next one, exactly', async () => {
    const history = await turn(chat(), 'Hi', [`const seen = new Map([[1, 7n]]);\n${hello}`]);
    await turn(history, 'And?', ["yield `${seen.get(1)}`;\nreturn { action: 'listen' };"]);
    expect(transcriptOf(stateOf(history)).at(-1)).toMatchObject({ children: ['7'] });
  });

  it('67: code that listens in silence is shown that, and goes on', async () => {
    const { history, statuses } = await said("return { action: 'listen' };");
    expect(statuses[0]).toMatchObject({ type: 'exit_error', code: 'silent', exit: 'listen' });
    expect(openCalls(history, 'llm')).toEqual(['iteration-2#1']);
    await plays(replies(history, hello));
    expect([...history.open.keys()]).toEqual(['message-2']);
  });

  it('L-2: a turn that takes no exit leaves the conversation open, and each turn has its own loop', async () => {
    const history = await turn(chat({ loop: 2 }), 'Hi', ['return 1', 'return 2']);
    expect(history.recorded.at(-1)).toMatchObject({
      type: 'SignalAwaited',
      data: { prompt: { turn: 2, failure: { kind: 'loop-exceeded' } } },
    });
    await turn(history, 'Again', ['return 3', hello]);
    expect(history.recorded.at(-1)).toMatchObject({ data: { stepId: 'message-3', prompt: { turn: 3 } } });
  });

  it('L-7: another exit ends the conversation', async () => {
    const exits = [{ name: 'close', description: 'It is over' }];
    const { history } = await said("return { action: 'close', value: 1 };", { exits });
    expect(history.end).toMatchObject({ status: 'completed', result: { exit: 'close', value: 1 } });
  });

  it('L-8: cancelled while it listens, it is `aborted`, and its iterations stay as they ended', async () => {
    const { history, statuses } = await said(hello);
    history.cancel();
    expect(history.end).toMatchObject({ status: 'cancelled', failure: { kind: 'aborted' } });
    expect(stateOf(history).iterations.map(({ status }) => status)).toEqual(statuses);
  });

  it('61: a message for a turn that runs finds nothing that waits for it', async () => {
    const history = chat();
    history.signal('message-1', { text: 'Hi' });
    expect(() => history.signal('message-1', { text: 'Hi' })).toThrow('No await message-1 is open');
  });

  it('L-45: shows how many turns fit before `history-limit`: about 2,200 short ones', async () => {
    const history = await turn(chat(), 'Hi', [hello]);
    const before = history.events.length;
    const bytes = jsonText(history.events.map(({ data }) => data)).length;
    await turn(history, 'Hi', [hello]);
    const events = history.events.length - before;
    expect(events).toBe(9);
    expect(jsonText(history.events.map(({ data }) => data)).length - bytes).toBeLessThan(
      (64 * 2 ** 20) / 2_200,
    );
    expect(Math.floor(20_000 / events)).toBe(2_222);
  });
});

describe('components', () => {
  it('L-46: have props, children that are nested, and texts of several lines', async () => {
    const program = `const Card = ({ title, children }: any) => <Row><Message>{title}</Message>{children}</Row>;
yield <Card title="Two">
  <Choice label="a" />
</Card>;
yield (
  <Message>
    First {1 + 1} &amp;
    second
  </Message>
);
return { action: 'listen' };`;
    const components = [button, { name: 'Row', description: 'Beside each other' }];
    const { sent } = await said(program, { components });
    const message = { component: 'Message', props: {} };
    expect(sent).toMatchObject([
      {
        component: 'Row',
        children: [
          { ...message, children: ['Two'] },
          { component: 'Button', props: { label: 'a' }, children: [] },
        ],
      },
      { ...message, children: ['First 2 &\nsecond'] },
    ]);
  });

  it.each([
    ['an unknown component', '<Foo />', 'Foo is not defined'],
    ['an element of HTML', '<div />', 'no component div'],
    ['props that do not fit', '<Button />', 'props of Button do not fit: / required'],
    ['children of a leaf', '<Button label="x">y</Button>', 'Button takes no children'],
    ['a value', '7', 'Only components and texts'],
    ['a long text', '"x".repeat(70_000)', 'more than 65536 characters'],
    ['many elements', '<>{Array(201).fill(<Message />)}</>', 'Only components and texts'],
    [
      'elements in a great number',
      '<Message>{Array(201).fill(<Message />)}</Message>',
      'more than 200 elements',
    ],
    ['an object', '{ component: "Nope", props: {}, children: [] }', 'no component "Nope"'],
  ])('L-46 63: %s is an error in the code, and no message', async (_, yielded, message) => {
    const program = `try { yield ${yielded}; } catch (error: any) { yield error.message; }\nreturn { action: 'listen' };`;
    const { sent } = await said(program, { components: [button] });
    expect(sent).toMatchObject([{ children: [expect.stringContaining(message)] }]);
  });

  it.each([
    ['no message', 'const two = 7;\nyield two;', /Only components and texts/, 'program', 3],
    ['a call too many', 'for (let i = 0; i < 200; i++) find({});\nyield "";', /200 times/, 'program', 3],
    ['what throws', 'yield {\n toJSON() {\n throw new Error("x"); } };', /x/, 'toJSON', 4],
  ])('L-15 L-46: an error of %s has the line of its `yield`, or a nearer one', async (...row) => {
    const [, yielded, message, frame, line] = row;
    const { statuses } = await said(`yield 'One';\n${yielded}`, { tools: ['find'] });
    expect(statuses[0]).toMatchObject({
      message: expect.stringMatching(new RegExp(`${message.source}.* \\(line ${line}\\)$`)),
      stack: expect.stringContaining(`at ${frame} (program.tsx:${line})`),
    });
  });

  it('L-46: `Message` and `Text` are there always, and the result has the text of each message', async () => {
    const program = `yield <Text>One</Text>;
yield <Message>Two <Text>three</Text></Message>;
return { action: 'close' };`;
    const { history } = await said(program, { exits: [{ name: 'close', description: 'It is over' }] });
    expect(wholeResult(stateOf(history), history.end?.result ?? {})).toMatchObject({
      messages: [
        { role: 'user', text: 'Hi' },
        { role: 'assistant', component: 'Text', text: 'One' },
        { role: 'assistant', component: 'Message', text: 'Two three' },
      ],
    });
  });

  it('L-46: a message is recorded before the code goes on', async () => {
    const { history } = await said(`yield 'one';\nawait find({ order: 1 });\n${hello}`);
    const types = history.recorded.map(({ type }) => type);
    expect(types.indexOf('MessageSent')).toBeLessThan(types.indexOf('ToolCallRequested'));
  });
});

describe('inputs of conversations', () => {
  const plain: CodeInput = { instructions: '', model: 'm', tools: [], chat: true };
  const row = { name: 'Row', description: 'Beside each other' };

  it.each<readonly [title: string, input: Partial<CodeInput>, path: string]>([
    ['two components of a name', { components: [row, row] }, '/components/1'],
    ['an alias that is a name of a tool', { tools: ['Row'], components: [row] }, '/components/0'],
    ['a component with a word of programs', { components: [{ ...row, name: 'Promise' }] }, '/components/0'],
    ['props of no schema', { components: [{ ...row, props: { type: 'row' } }] }, '/components/0/props/type'],
    ['an exit `listen`', { exits: [{ name: 'Listen', description: 'x' }] }, '/exits/0'],
    ['components without chat', { chat: false, components: [row] }, '/components'],
    ['a transcript without chat', { chat: false, transcript: [] }, '/transcript'],
    ['a tool with the name of a component that is there always', { tools: ['Text'] }, '/tools/0'],
    ['sources that are too long', { citations: ['x'.repeat(1_000_000)] }, '/citations'],
  ])('L-3 L-5 L-46: refuse %s', (_, input, path) => {
    expect(inputProblems({ ...plain, ...input }).map((problem) => problem.path)).toEqual([path]);
  });
});

describe('citations in a run', () => {
  const cited = `const tag = cite({ page: 1 });
yield <Message>It is so{tag}.</Message>;
return { action: 'close', value: [\`yes\${tag}\`] };`;
  const exits = [{ name: 'close', description: 'It is over' }];

  it('L-44: tags are taken out of messages and of the value, and listed: path, id and source', async () => {
    const { history, sent } = await said(cited, { citations: ['given'], exits });
    expect(sent).toMatchObject([
      { children: ['It is so.'], citations: [{ path: '/children/0', offset: 8, id: 1, tag: '【1】' }] },
    ]);
    const result = wholeResult(stateOf(history), history.end?.result ?? {});
    expect(result).toMatchObject({
      value: ['yes'],
      citations: [{ path: '/0', id: 1, source: { page: 1 } }],
      sources: ['given', { page: 1 }],
    });
  });

  it('L-44: sources of the input are shown to the model with their tags, and can be cited', async () => {
    const program = "return { action: 'done', value: { so: 'It is【1】【0, 7】.' } };";
    const history = replies(given({ citations: ['a\nb', { page: 2 }] }), program);
    expect(jsonText(stateOf(history).messages[0] ?? null)).toContain('【0】 a\\nb\\n\\n【1】 {\\"page\\":2}');
    await plays(history);
    expect(wholeResult(stateOf(history), history.end?.result ?? {})).toMatchObject({
      value: { so: 'It is.' },
      citations: [
        { path: '/so', id: 1, source: { page: 2 }, offset: 5, tag: '【1】' },
        { path: '/so', id: 0, source: 'a\nb', offset: 5, tag: '【0, 7】' },
        { path: '/so', id: 7, offset: 5, tag: '【0, 7】' },
      ],
    });
  });

  it('L-44: ids go on in the next program, whose texts may cite what programs before it cited', async () => {
    const { history } = await said(`const tag = cite('a');\n${hello}`, { citations: [] });
    await turn(history, 'And?', ["yield `${cite('b')}${tag}`;\nreturn { action: 'listen' };"]);
    expect(transcriptOf(stateOf(history)).at(-1)).toMatchObject({ citations: [{ id: 1 }, { id: 0 }] });
    expect(stateOf(history).sources).toEqual(['a', 'b']);
  });

  it('0.2-V8: tools register sources by their results, whose types say so, and replay identical', async () => {
    const result = { type: 'object', properties: { sources: { type: 'array', items: { type: 'object' } } } };
    const program = "return { action: 'done', value: (await find({ order: 1 })).sources[0] };";
    const history = replies(given({ citations: [] }, [tool('find', {}, result)]), program);
    expect(jsonText(stateOf(history).messages[0] ?? null)).toContain(
      'Promise<{ /* tags */ sources?: string[] }>',
    );
    await plays(history, () => toolOk({ sources: [{ page: 1 }] }));
    const requested = history.recorded.filter(({ type }) => type === 'SandboxRequested');
    expect(requested.at(-1)?.data).toMatchObject({ outcomes: [{ call: 0, registers: true }] });
    const end = wholeResult(stateOf(history), history.end?.result ?? {});
    expect(end).toMatchObject({
      value: '',
      citations: [{ id: 0, source: { page: 1 } }],
      sources: [{ page: 1 }],
    });
  });

  it('L-44 L-47: a value that cites more than 4 MiB of sources is refused', async () => {
    const program = "return { action: 'close', value: cite('x'.repeat(3_000_000)).repeat(2) };";
    const { statuses } = await said(program, { citations: [], exits });
    const message = expect.stringMatching(/cites sources of more than 4194304 characters/);
    expect(statuses[0]).toMatchObject({ code: 'invalid-value', message });
  });

  it.each([
    ['by its tags', 'tag.repeat(1001)', /cites more than 1000 times/],
    ['by ids of one tag', "`【${'0,'.repeat(1000)}0】`", /more than 65536 characters of tags/],
    ['under long names', "{ ['k'.repeat(700)]: tag.repeat(100) }", /more than 65536 characters of tags/],
  ])('L-44 L-47: a value or message that cites too much %s is refused', async (_, value, message) => {
    const program = `const tag = cite('x');
try { yield <Message note={${value}} />; } catch (error: any) { yield error.message; }
return { action: 'close', value: ${value} };`;
    const { sent, statuses } = await said(program, { citations: [], exits });
    expect(sent).toMatchObject([{ children: [expect.stringMatching(message)] }]);
    expect(statuses[0]).toMatchObject({ code: 'invalid-value', message: expect.stringMatching(message) });
  });
});
