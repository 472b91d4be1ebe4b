import type { Task } from '#lib/client';
import { fieldsFor, fieldsOf, jsonField } from '../forms/fields.js';
import { type Form, useForm } from '../forms/use-form.js';
import { AnswerForm } from './answer-form.js';
import { type Answer, schemaOf } from './task-types.js';
import type { Answering } from './use-answering.js';

interface QuestionFormProps {
  readonly task: Task;
  readonly answering: Answering;
}

/** A question, with the fields of its answer. */
export function QuestionForm({ task, answering }: QuestionFormProps) {
  const form = useMemberForm(task, 'answer', 'payload', 'Answer', undefined);
  const answerOf = (value: unknown) => {
    const payload = value as Answer['payload'];
    return { choice: 'answer', ...(payload !== undefined && { payload }) };
  };
  return (
    <section className="card" aria-label="Answer">
      <AnswerForm form={form} answering={answering} member="payload" action="Answer" answerOf={answerOf} />
    </section>
  );
}

/** A call of a tool: its arguments, which can be edited before it is approved. */
export function ApprovalForm({ task, answering }: QuestionFormProps) {
  const form = useMemberForm(task, 'approve', 'arguments', 'Arguments', task.arguments);
  const answerOf = (value: unknown) => ({
    choice: 'approve',
    ...(form.isEdited && { arguments: value as object }),
  });
  return (
    <section className="card" aria-label="Approval">
      <AnswerForm
        form={form}
        answering={answering}
        member="arguments"
        action="Approve"
        answerOf={answerOf}
        rejection={{ choice: 'reject' }}
      >
        {form.isEdited && <span className="dim">Approve sends your changes.</span>}
      </AnswerForm>
    </section>
  );
}

/** The form of a member of a choice; for any JSON if its schema declares no members, or the value has members of its own. */
function useMemberForm(task: Task, choice: string, member: string, label: string, value: unknown): Form {
  const offered = task.choices.find((one) => one.choice === choice);
  const declared = fieldsOf(schemaOf(offered, member), label);
  return useForm(declared.length === 0 ? [jsonField(label)] : fieldsFor(declared, label, value), value);
}
