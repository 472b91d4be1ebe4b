import type { Task } from '#lib/client';
import { FieldInputs } from '../forms/field-inputs.js';
import { fieldsOf, jsonField } from '../forms/fields.js';
import { useForm } from '../forms/use-form.js';
import { schemaOf } from './task-types.js';
import type { Answering } from './use-answering.js';

/** An approval of a call, with its arguments; or a question, with the fields of its answer. */
export function QuestionForm({ task, answering }: { readonly task: Task; readonly answering: Answering }) {
  const isApproval = task.kind === 'approval';
  const member = isApproval ? 'arguments' : 'payload';
  const choice = task.choices.find((one) => one.choice === (isApproval ? 'approve' : 'answer'));
  const { arguments: asked } = task as { readonly arguments?: object };
  const declared = fieldsOf(schemaOf(choice, member), isApproval ? 'Arguments' : 'Answer');
  const fields = declared.length === 0 ? [jsonField(isApproval ? 'Arguments' : 'Answer')] : declared;
  const form = useForm(fields, asked);
  const send = () => {
    const found = form.read();
    if (!found || !choice) return;
    const given = !isApproval || form.isEdited ? { [member]: found.value } : {};
    answering.answer({ choice: choice.choice, ...given }, form, `/${member}`);
  };
  return (
    <section className="card" aria-label="Answer">
      <FieldInputs fields={fields} texts={form.texts} problems={form.problems} onChange={form.change} />
      <p className="buttons">
        <button type="button" className="primary" disabled={answering.isPending} onClick={send}>
          {isApproval ? 'Approve' : 'Answer'}
        </button>
        {isApproval && (
          <button
            type="button"
            disabled={answering.isPending}
            onClick={() => answering.answer({ choice: 'reject' }, form, '/result')}
          >
            Reject
          </button>
        )}
      </p>
    </section>
  );
}
