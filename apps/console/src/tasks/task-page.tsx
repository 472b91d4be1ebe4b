import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Task } from '#lib/client';
import { useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { isUnknown, server } from '../data/server.js';
import { Loading, Problem } from '../parts/notice.js';
import { Page } from '../parts/page.js';
import { useAnsweringPerson } from './answering-person.js';
import { ClaimButtons } from './claim-buttons.js';
import { Comments } from './comments.js';
import { ProposalArticle } from './proposal-article.js';
import { ApprovalForm, QuestionForm } from './question-form.js';
import { TaskEnd } from './task-end.js';
import { TaskFacts } from './task-facts.js';
import { isOpen, proposalsOf } from './task-types.js';
import { TransitionChoice } from './transition-choice.js';
import { useAnswering } from './use-answering.js';

export function TaskPage() {
  const taskId = useId();
  const task = useQuery({ queryKey: ['tasks', taskId], queryFn: () => server().getTask({ taskId }) });
  if (isUnknown(task.error)) return <UnknownThing kind="task" id={taskId} list="/tasks" />;
  return (
    <Page
      title={task.data?.title ?? 'Task'}
      kind="Task"
      outside={{ path: `/tasks/${taskId}`, command: ['tasks', 'show', taskId] }}
      facts={task.data && <TaskFacts task={task.data} />}
    >
      {task.error && <Problem error={task.error} />}
      {task.data ? <TaskView task={task.data} /> : !task.error && <Loading />}
    </Page>
  );
}

/** The proposals and the ways to answer, while the task waits, for people who can answer. */
function TaskView({ task }: { readonly task: Task }) {
  const [actAs, setActAs] = useState<string>();
  const { standIns, whyNot } = useAnsweringPerson(task, actAs);
  const person = standIns.length > 0 ? (actAs ?? standIns[0]) : undefined;
  const answering = useAnswering(task, person);
  const waits = isOpen(task);
  const mayAnswer = waits && whyNot === undefined;
  const wasOffered = useWasTrue(mayAnswer);
  return (
    <div className="task">
      {!waits && <TaskEnd task={task} />}
      {waits && (
        <div className="task-bar">
          {standIns.length > 0 && <AnswerAs people={standIns} person={person} onChange={setActAs} />}
          <ClaimButtons task={task} actAs={person} />
        </div>
      )}
      {waits && whyNot && <p className="callout">{whyNot}</p>}
      {answering.error !== null && <Problem error={answering.error} />}
      {proposalsOf(task).map((proposal) => (
        <ProposalArticle
          key={proposal.proposalId}
          task={task}
          proposal={proposal}
          answering={mayAnswer ? answering : undefined}
        />
      ))}
      {waits && wasOffered && (
        <div hidden={!mayAnswer}>
          {task.kind === 'decision' && <TransitionChoice task={task} answering={answering} />}
          {task.kind === 'approval' && <ApprovalForm task={task} answering={answering} />}
          {task.kind === 'answer' && <QuestionForm task={task} answering={answering} />}
        </div>
      )}
      <Comments task={task} actAs={person} isOpen={waits} />
    </div>
  );
}

/** Whether it was true before: a form keeps its texts while another person has claimed the task. */
function useWasTrue(isTrue: boolean): boolean {
  const was = useRef(false);
  was.current ||= isTrue;
  return was.current;
}

interface AnswerAsProps {
  readonly people: readonly string[];
  readonly person: string | undefined;
  readonly onChange: (person: string) => void;
}

/** On a server that asks for no token, the user of this browser chooses the person to answer as. */
function AnswerAs({ people, person, onChange }: AnswerAsProps) {
  return (
    <label className="filter">
      <span>Answer as</span>
      <select value={person} onChange={(event) => onChange(event.target.value)}>
        {people.map((personId) => (
          <option key={personId}>{personId}</option>
        ))}
      </select>
    </label>
  );
}
