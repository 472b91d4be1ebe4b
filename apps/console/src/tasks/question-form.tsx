import { useState } from 'react';
import type { Task } from '#lib/client';
import { FieldInputs } from '../forms/field-inputs.js';
import { fieldsOf, jsonField } from '../forms/fields.js';
import { type Form, useForm } from '../forms/use-form.js';
import { ReasonField, reasonIn } from './reason-field.js';
import { type Answer, schemaOf } from './task-types.js';
import type { Answering } from './use-answering.js';

interface QuestionFormProps {
  readonly task: Task;
  readonly answering: Answering;
}

/** A question, with the fields of its answer. */
export function QuestionForm({ task, answering }: QuestionFormProps) {
  const [reason, setReason] = useState('');
  const form = useMemberForm(task, 'answer', 'payload', 'Answer', undefined);
  const send = () => {
    const found = form.read();
    if (!found) return;
    const payload = found.value as Answer['payload'];
    answering.answer(
      { choice: 'answer', ...(payload !== undefined && { payload }), ...reasonIn(reason) },
      form,
      '/payload',
    );
  };
  return (
    <section className="card" aria-label="Answer">
      <FieldInputs fields={form.fields} texts={form.texts} problems={form.problems} onChange={form.change} />
      <ReasonField reason={reason} onChange={setReason} />
      <p className="buttons">
        <button type="button" className="primary" disabled={answering.isPending} onClick={send}>
          Answer
        </button>
      </p>
    </section>
  );
}

/** A call of a tool: its arguments, which can be edited before it is approved. */
export function ApprovalForm({ task, answering }: QuestionFormProps) {
  const [reason, setReason] = useState('');
  const form = useMemberForm(task, 'approve', 'arguments', 'Arguments', task.arguments);
  const approve = () => {
    const found = form.read();
    if (!found) return;
    const edit = form.isEdited ? { arguments: found.value as object } : {};
    answering.answer({ choice: 'approve', ...edit, ...reasonIn(reason) }, form, '/arguments');
  };
  const reject = () => answering.answer({ choice: 'reject', ...reasonIn(reason) }, form, '/result');
  return (
    <section className="card" aria-label="Approval">
      <FieldInputs fields={form.fields} texts={form.texts} problems={form.problems} onChange={form.change} />
      <ReasonField reason={reason} onChange={setReason} />
      <p className="buttons">
        <button type="button" className="primary" disabled={answering.isPending} onClick={approve}>
          Approve
        </button>
        <button type="button" disabled={answering.isPending} onClick={reject}>
          Reject
        </button>
        {form.isEdited && <span className="dim">Approve sends your changes.</span>}
      </p>
    </section>
  );
}

/** The form of a member of a choice; of any JSON if no schema says more, or the value has members of its own. */
function useMemberForm(task: Task, choice: string, member: string, label: string, value: unknown): Form {
  const offered = task.choices.find((one) => one.choice === choice);
  const declared = fieldsOf(schemaOf(offered, member), label);
  return useForm(declared.length === 0 ? [jsonField(label)] : declared, value);
}
