import { isWebhookTokenName, WEBHOOK_TOKEN_FORM, webhookUrlProblem } from '#lib/workflow';
import { inspectSchema } from '#lib/json-schema';
import {
  below,
  type Command,
  type Decider,
  ofProblems,
  jsonText,
  type Problem,
  reject,
  type Rejection,
} from '#lib/kernel';
import { approvalProblems } from './needs-approval.rules.js';
import type { ToolBody, ToolEvent, ToolRegistered } from './tools.events.js';

/** A tool in its newest version; `undefined` before the first. */
type ToolState = ToolRegistered['data'] | undefined;

type Webhook = Extract<ToolBody['execution'], { webhookUrl: string }>;
type RegisterTool = Command<'RegisterTool', { readonly toolId: string } & ToolBody>;

/** The rules of a tool's versions. */
export const toolDecider: Decider<ToolState, RegisterTool, ToolEvent> = {
  initialState: undefined,
  decide: ({ data: { toolId, ...body } }, state) => {
    const problems = problemsOf(body);
    if (problems.length > 0)
      return reject('refused', 'invalid-tool', ofProblems(`tool ${toolId}`, problems), problems);
    if (state && isSame(body, state)) return [];
    return [{ type: 'ToolRegistered', data: { toolId, version: (state?.version ?? 0) + 1, ...body } }];
  },
  evolve: (state, event) => (event.type === 'ToolRegistered' ? event.data : state),
  record: (command) => command,
  rebuild: (recorded) => recorded as RegisterTool,
};

function isSame(body: ToolBody, { toolId: _, version: _version, ...known }: ToolRegistered['data']): boolean {
  return jsonText(body) === jsonText(known);
}

function problemsOf({ parameters, result, execution, policy, sends }: ToolBody): readonly Problem[] {
  return [
    ...approvalProblems(policy),
    ...below('/parameters', inspectSchema(parameters)),
    ...(parameters['type'] === 'object'
      ? []
      : [{ path: '/parameters/type', message: 'must be "object": a model gives arguments by name' }]),
    ...(result ? below('/result', inspectSchema(result)) : []),
    ...('webhookUrl' in execution ? webhookProblems(execution) : sendsProblems(sends)),
  ];
}

function webhookProblems({ webhookUrl, webhookTokenName: name }: Webhook): readonly Problem[] {
  const ofUrl = webhookUrlProblem(webhookUrl);
  const problems = ofUrl === undefined ? [] : [{ path: '/execution/webhookUrl', message: ofUrl }];
  if (name === undefined || isWebhookTokenName(name)) return problems;
  const message = `is not the name of a token of webhooks. ${WEBHOOK_TOKEN_FORM}`;
  return [...problems, { path: '/execution/webhookTokenName', message }];
}

function sendsProblems(sends: ToolBody['sends']): readonly Problem[] {
  const message = 'is for webhooks: a function gets all members, a tool of an MCP server none';
  return sends ? [{ path: '/sends', message }] : [];
}

export function unknownTool(toolId: string): Rejection {
  return reject('unknown', 'unknown-tool', {
    what: `tool ${toolId}`,
    why: 'no tool is registered under this id',
    fix: 'Check the id, or register the tool first',
  });
}
