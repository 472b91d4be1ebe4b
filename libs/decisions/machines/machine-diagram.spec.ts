import { describe, expect, it } from '@jest/globals';
import type { MachineDefinition } from './machine-definition.js';
import { machineDiagram } from './machine-diagram.js';

describe('machineDiagram', () => {
  it('shows states, transitions, tools, start and goal', () => {
    const machine: MachineDefinition = {
      machineName: 'triage',
      initialState: 'open',
      goalState: 'done',
      states: {
        open: { transitions: { close: { target: 'done', description: 'Close' }, wait: { target: 'open' } } },
        done: {},
      },
    };
    expect(machineDiagram(machine)).toBe(
      [
        'stateDiagram-v2',
        '    state "open" as s0',
        '    state "done" as s1',
        '    [*] --> s0',
        '    s0 --> s1 : close [tool]',
        '    s0 --> s0 : wait',
        '    s1 --> [*]',
        '',
      ].join('\n'),
    );
  });

  it('writes characters that Mermaid reads as its own as codes', () => {
    const state = 'a"; b\n%%{x}: <é>';
    const machine: MachineDefinition = {
      machineName: 'm',
      initialState: state,
      goalState: state,
      states: { [state]: { transitions: { 'go;[*] --> x #1': { target: state } } } },
    };
    expect(machineDiagram(machine).split('\n').slice(1, 4)).toEqual([
      '    state "a#34;#59; b#10;#37;#37;#123;x#125;#58; #60;é#62;" as s0',
      '    [*] --> s0',
      '    s0 --> s0 : go#59;#91;#42;#93; --#62; x #35;1',
    ]);
  });

  it('does not let a name turn the diagram', () => {
    const state = 'Direction LR';
    const machine = { machineName: 'm', initialState: state, goalState: state, states: { [state]: {} } };
    expect(machineDiagram(machine)).toContain('state "Direction#32;LR" as s0');
  });
});
