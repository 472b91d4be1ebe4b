import { describe, expect, it } from '@jest/globals';
import { RedialProblem } from '#lib/client';
import { renderAnswer, renderError } from './render-answer.js';

describe('an answer over MCP', () => {
  it('X-T2: holds no token of a person, neither as text nor as structure', () => {
    const answer = { personId: 'ann', token: 't1', actorToken: 't2', actorTokens: { ann: 't3' } };
    const rendered = { content: [{ type: 'text', text: '{"personId":"ann"}' }] };
    expect(renderAnswer(answer, false)).toEqual(rendered);
    expect(renderAnswer(answer, true)).toEqual({ ...rendered, structuredContent: { personId: 'ann' } });
  });

  it('keeps members of these names where they are of a case, and answers that are no objects', () => {
    const session = { metaJson: { token: 'of a tram' } };
    expect(renderAnswer(session, true)).toMatchObject({ structuredContent: session });
    expect(renderAnswer(null, false)).toEqual({ content: [{ type: 'text', text: 'null' }] });
  });

  it('shows the problem of a server, and the status of an answer that holds none', () => {
    const problem = { code: 'unknown-session', detail: 'd' };
    const shown = (error: RedialProblem) =>
      JSON.parse((renderError(error).content[0] as { text: string }).text);
    expect(shown(new RedialProblem(404, problem))).toEqual(problem);
    expect(shown(new RedialProblem(502, {}))).toMatchObject({ status: 502, code: 'unexpected-answer' });
  });
});
