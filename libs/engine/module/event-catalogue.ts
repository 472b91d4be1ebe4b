import { recordedCalls } from '#lib/call-rules';
import { code } from '#lib/code/core';
import { EventCodec } from '#lib/event-store';
import { experimentEventDefinitions } from '#lib/histories/core';
import { agentEventDefinitions, conversationEventDefinitions } from '#lib/flows/core';
import { gateEventDefinitions } from '#lib/decisions/gates/core';
import { machineEventDefinitions } from '#lib/decisions/machines';
import { callEventDefinitions } from '#lib/operations/core';
import { personEventDefinitions } from '#lib/people/core';
import { exemplarEventDefinitions, sessionEventDefinitions } from '#lib/decisions/session';
import { specialistEventDefinitions } from '#lib/decisions/specialists';
import { dueTimesEventDefinitions, taskEventDefinitions } from '#lib/tasks/core';
import { hookEventDefinitions } from '#lib/hooks/core';
import { reactionEventDefinitions } from '#lib/reactions/core';
import { sealEventDefinitions } from '#lib/seals/core';
import { contentExportEventDefinitions, subjectEventDefinitions } from '#lib/subjects/core';
import { toolEventDefinitions } from '#lib/runs/tools/core';
import { logClaimEventDefinitions, runtimeEventDefinitions, type Workflow } from '#lib/workflow';

/** Workflows of the engine that are not internal: applications start their runs, too. */
const ownWorkflows: readonly Workflow[] = [code];

/** Every event that Redial and these workflows write, with its schema versions. @throws InvalidEventCatalogue */
export function eventCatalogue(workflows: readonly Workflow[] = []): EventCodec {
  return new EventCodec([
    machineEventDefinitions,
    gateEventDefinitions,
    specialistEventDefinitions,
    sessionEventDefinitions,
    exemplarEventDefinitions,
    personEventDefinitions,
    taskEventDefinitions,
    dueTimesEventDefinitions,
    toolEventDefinitions,
    agentEventDefinitions,
    conversationEventDefinitions,
    experimentEventDefinitions,
    callEventDefinitions,
    logClaimEventDefinitions,
    sealEventDefinitions,
    subjectEventDefinitions,
    contentExportEventDefinitions,
    reactionEventDefinitions,
    hookEventDefinitions,
    runtimeEventDefinitions,
    ...recordedCalls.all.map(({ definitions }) => definitions),
    ...ownWorkflows.map(({ events = {} }) => events),
    // The events of the engine's own workflows are above.
    ...workflows
      .filter((workflow) => !workflow.internal && !ownWorkflows.includes(workflow))
      .map(({ events = {} }) => events),
  ]);
}
