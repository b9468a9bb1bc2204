import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { usePermissions } from '../../auth/session.tsx';
import { useClusterPolicy } from '../../clusters/queries.ts';
import { PolicyForm } from '../../policy/policy-form.tsx';
import type { PartialPolicy } from '../../policy/policy-form-values.ts';
import { formFieldFor, toFormValues } from '../../policy/policy-form-values.ts';
import { toPolicyInput } from '../../policy/policy-input.ts';
import { PolicyList } from '../../policy/policy-list.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format/text.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Panel, QueryView } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './cluster.module.css';

interface PolicyEditorProps {
  readonly name: string;
  readonly initial: PartialPolicy;
  readonly onClose: () => void;
}

function PolicyEditor({ name, initial, onClose }: PolicyEditorProps) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState(() => toFormValues(initial));
  const { input, errors } = toPolicyInput(values);
  const save = async () => {
    await api.putClusterPolicy({ name, body: input });
    await queryClient.invalidateQueries({ queryKey: queryKeys.clusterPolicy(name) });
    showToast(`Policy of ${name} saved. It applies to new operations.`);
  };
  return (
    <FormDialog
      title={`Edit policy of ${name}`}
      size="wide"
      submitLabel="Save policy"
      onSubmit={save}
      onClose={onClose}
      fields={formFieldFor}
      clientErrors={errors}
      intro={
        <p>
          Default policy for new operations on {name}. Values that you set when you start an operation take precedence.
          Running operations keep their policy.
        </p>
      }
    >
      <PolicyForm values={values} onChange={setValues} clusterPolicy={{}} />
    </FormDialog>
  );
}

function PolicyDetails({ policy }: { readonly policy: PartialPolicy }) {
  const setCount = Object.keys(policy).length;
  return (
    <details className={styles.policy} open={setCount > 0}>
      <summary>
        {setCount === 0
          ? 'No custom policy. Operations use the defaults.'
          : `${formatCount(setCount, 'custom value')}. Everything else uses the defaults.`}
      </summary>
      <PolicyList policy={policy} customLabel="custom" />
    </details>
  );
}

export function PolicyPanel({ name }: { readonly name: string }) {
  const { can } = usePermissions();
  const query = useClusterPolicy(name);
  const { data } = query;
  /** The policy when the editor opened. It must not change while the user edits. */
  const [edited, setEdited] = useState<PartialPolicy>();
  const actions = can('putClusterPolicy') && data && (
    <Button size="small" onClick={() => setEdited(data)}>
      Edit policy
    </Button>
  );
  return (
    <Panel title="Policy" actions={actions}>
      <QueryView query={query} label="the policy">
        {policy => <PolicyDetails policy={policy} />}
      </QueryView>
      {edited && <PolicyEditor name={name} initial={edited} onClose={() => setEdited(undefined)} />}
    </Panel>
  );
}
