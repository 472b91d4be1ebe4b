import { Command } from '@nestjs/cqrs';
import { input, is, Operation } from '#lib/operations';
import { unknownGate } from '../gate.rejections.js';
import { GateResult } from '../gates.views.js';
import { type EarlierDecision, HISTORY } from './earlier-decision.js';

@Operation({
  summary: 'Invoke a gate: its proposers are asked at the same time, then its arbiter decides',
  http: 'POST /v1/gates/:gateId/invocations',
  cli: 'gates invoke <gateId>',
  mcp: 'propose',
  access: 'operator',
  answers: { 201: GateResult },
  problems: [503],
})
export class InvokeGate extends input(Command<GateResult>, {
  gateId: is.nameOf(unknownGate),
  metaJson: is.object().optional.about('The subject of the decision: proposers see it'),
  promptSuffix: is
    .textUpTo(65_536)
    .optional.about("The question of this invocation: follows the gate's prompt after a blank line"),
  history: is
    .fitting<readonly EarlierDecision[]>(HISTORY)
    .optional.about(
      'Earlier decisions, oldest first, such as the history of a session: proposers and arbiters see them',
    ),
}) {}
