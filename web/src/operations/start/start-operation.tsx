import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { OperationKind } from '#vocabulary';
import { api } from '../../api/client.ts';
import { useClusterPolicy } from '../../clusters/queries.ts';
import { EMPTY_POLICY_FORM, toFormValues, updateFormValues } from '../../policy/policy-form-values.ts';
import { toPolicyInput } from '../../policy/policy-input.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { capitalize } from '../../ui/format/text.ts';
import { useAction } from '../../ui/forms/form.tsx';
import { QueryView } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { StartFormValues } from './options-step.tsx';
import { OptionsStep } from './options-step.tsx';
import { PreviewStep } from './preview-step.tsx';
import styles from './start-operation.module.css';
import type { Plan, StartRequest } from './start-request.ts';
import { previewOperation, startOperation } from './start-request.ts';

/** `key` is the idempotency key, so a retry does not start a second operation. */
interface Preview {
  readonly request: StartRequest;
  readonly plan: Plan;
  readonly key: string;
}

const initialValues = ({
  kind = 'restart',
  hosts,
}: Pick<StartOperationDialogProps, 'kind' | 'hosts'>): StartFormValues => ({
  kind,
  version: '',
  policy:
    hosts === undefined
      ? EMPTY_POLICY_FORM
      : // The labels of the cluster policy must not drop selected hosts.
        toFormValues({ hosts: [...hosts], labels: [] }),
});

interface StartOperationDialogProps {
  readonly cluster: string;
  /** Preselected. Default: restart. */
  readonly kind?: OperationKind;
  /** Addresses of the hosts to change. Undefined: the hosts of the cluster policy. */
  readonly hosts?: readonly string[];
  readonly onClose: () => void;
}

/** The user enters options, reviews the plan, then starts the operation. */
export function StartOperationDialog({ cluster, onClose, ...initial }: StartOperationDialogProps) {
  const navigate = useNavigate();
  const policyQuery = useClusterPolicy(cluster);
  const [values, setValues] = useState(() => initialValues(initial));
  const [preview, setPreview] = useState<Preview>();

  const previewing = useAction(async ({ kind, version, policy }: StartFormValues) => {
    const request = { kind, cluster, version: version.trim(), policy: toPolicyInput(policy).input };
    const plan = await previewOperation(api, request);
    setPreview({ request, plan, key: crypto.randomUUID() });
  });
  const starting = useAction(async (started: Preview) => {
    const id = await startOperation(api, started.request, started.key);
    showToast(`${capitalize(started.request.kind)} of ${cluster} started`);
    onClose();
    await navigate({ to: '/operations/$id', params: { id } });
  });

  // The focused button disappears with its step.
  const step = useRef<HTMLDivElement>(null);
  const isPreviewed = preview !== undefined;
  const wasPreviewed = useRef(isPreviewed);
  useEffect(() => {
    if (wasPreviewed.current !== isPreviewed) step.current?.focus();
    wasPreviewed.current = isPreviewed;
  }, [isPreviewed]);

  return (
    <Dialog title={`Start operation on ${cluster}`} onClose={onClose} size="wide">
      <div ref={step} tabIndex={-1} className={styles.step}>
        {preview === undefined ? (
          <QueryView query={policyQuery} label="the policy of the cluster">
            {clusterPolicy => (
              <OptionsStep
                values={values}
                clusterPolicy={clusterPolicy}
                onChange={setValues}
                error={previewing.error}
                isLoading={previewing.isLoading}
                onPreview={() => previewing.run(values)}
                onClose={onClose}
              />
            )}
          </QueryView>
        ) : (
          <PreviewStep
            plan={preview.plan}
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
      </div>
    </Dialog>
  );
}
