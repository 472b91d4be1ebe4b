import { type ReactNode, useState } from 'react';
import { FieldInputs } from '../forms/field-inputs.js';
import type { Form } from '../forms/use-form.js';
import type { Answer } from './task-types.js';
import type { Answering } from './use-answering.js';

interface AnswerFormProps {
  readonly form: Form;
  readonly answering: Answering;
  /** The member of the answer that the fields fill. */
  readonly member: 'arguments' | 'metaJson' | 'payload';
  /** The text of the first button, and of its effect. */
  readonly action: string;
  readonly answerOf: (value: unknown) => Answer;
  /** The answer that needs no fields. */
  readonly rejection?: Answer;
  readonly children?: ReactNode;
}

/** Fields, a reason that is recorded with the answer, and the buttons that send it. */
export function AnswerForm(props: AnswerFormProps) {
  const { form, answering, member, action, answerOf, rejection, children } = props;
  const [reason, setReason] = useState('');
  const send = (answer: Answer, at: string) =>
    answering.answer({ ...answer, ...(reason.trim() !== '' && { reason }) }, form, at);
  const answer = () => {
    const found = form.read();
    if (found) send(answerOf(found.value), `/${member}`);
  };
  return (
    <>
      <FieldInputs fields={form.fields} texts={form.texts} problems={form.problems} onChange={form.change} />
      <div className="field">
        <label htmlFor="reason">
          Reason for your answer <span className="dim">(optional)</span>
        </label>
        <textarea id="reason" rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
      <p className="buttons">
        <button type="button" className="primary" disabled={answering.isPending} onClick={answer}>
          {action}
        </button>
        {rejection && (
          <button type="button" disabled={answering.isPending} onClick={() => send(rejection, '/result')}>
            Reject
          </button>
        )}
        {children}
      </p>
    </>
  );
}
