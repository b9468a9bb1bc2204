import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { EMPTY_POLICY_FORM, updateFormValues } from '../../policy/policy-form-values.ts';
import { toPolicyInput } from '../../policy/policy-input.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { capitalize } from '../../ui/format/text.ts';
import { useAction } from '../../ui/forms/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { StartFormValues } from './options-step.tsx';
import { OptionsStep } from './options-step.tsx';
import { PreviewStep } from './preview-step.tsx';
import type { Plan, StartRequest } from './start-request.ts';
import { previewOperation, startOperation } from './start-request.ts';

/** `key` is the idempotency key, so a retry does not start a second operation. */
interface Preview {
  readonly request: StartRequest;
  readonly plan: Plan;
  /** Number of members of the cluster. 0 if it was not fetched because no host blocks the operation. */
  readonly members: number;
  readonly key: string;
}

const EMPTY_FORM: StartFormValues = { kind: 'restart', version: '', policy: EMPTY_POLICY_FORM };

/** The user enters options, reviews the plan, then starts the operation. */
export function StartOperationDialog({ cluster, onClose }: { readonly cluster: string; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [values, setValues] = useState(EMPTY_FORM);
  const [preview, setPreview] = useState<Preview>();

  const previewing = useAction(async ({ kind, version, policy }: StartFormValues) => {
    const request = { kind, cluster, version: version.trim(), policy: toPolicyInput(policy).input };
    const plan = await previewOperation(api, request);
    const members = plan.blocked_by.length === 0 ? 0 : (await api.getCluster({ name: cluster })).body.hosts.total;
    setPreview({ request, plan, members, key: crypto.randomUUID() });
  });
  const starting = useAction(async (started: Preview) => {
    const id = await startOperation(api, started.request, started.key);
    showToast(`${capitalize(started.request.kind)} of ${cluster} started`);
    onClose();
    await navigate({ to: '/operations/$id', params: { id } });
  });

  return (
    <Dialog title={`Start operation on ${cluster}`} onClose={onClose} size="wide">
      {preview === undefined ? (
        <OptionsStep
          values={values}
          onChange={setValues}
          error={previewing.error}
          isLoading={previewing.isLoading}
          onPreview={() => previewing.run(values)}
          onClose={onClose}
        />
      ) : (
        <PreviewStep
          plan={preview.plan}
          members={preview.members}
          error={starting.error ?? previewing.error}
          isLoading={starting.isLoading}
          isPreviewing={previewing.isLoading}
          onChange={fields => {
            const changed = { ...values, policy: updateFormValues(values.policy, fields) };
            setValues(changed);
            previewing.run(changed);
          }}
          onStart={() => starting.run(preview)}
          onBack={() => {
            starting.reset();
            previewing.reset();
            setPreview(undefined);
          }}
        />
      )}
    </Dialog>
  );
}
