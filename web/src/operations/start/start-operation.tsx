// Dialog that starts a restart, upgrade or deploy: the user enters options, reviews the plan, then starts the
// operation.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { EMPTY_POLICY_FORM, formFieldFor, updateFormValues } from '../../policy/policy-form-values.ts';
import { toPolicyInput } from '../../policy/policy-input.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { capitalize as capitalized } from '../../ui/format/text.ts';
import type { FieldResolver } from '../../ui/forms/field-errors.ts';
import { invalidForm, mapFieldErrors } from '../../ui/forms/field-errors.ts';
import { useAction } from '../../ui/forms/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { StartFormValues } from './options-step.tsx';
import { OptionsStep } from './options-step.tsx';
import { PreviewStep } from './preview-step.tsx';
import type { Plan, StartRequest } from './start-request.ts';
import { previewOperation, startOperation } from './start-request.ts';

interface StartOperationDialogProps {
  readonly cluster: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** `key` is the idempotency key, so a retry does not start a second operation. */
interface Preview {
  readonly request: StartRequest;
  readonly plan: Plan;
  /** Number of members of the cluster. 0 if it was not fetched because no host blocks the operation. */
  readonly members: number;
  readonly key: string;
}

const EMPTY_FORM: StartFormValues = { kind: 'restart', version: '', policy: EMPTY_POLICY_FORM };

/** `version` is next to `policy` in the request body. */
const formField: FieldResolver = (name, part) => (name === 'version' ? name : formFieldFor(name, part));

function Steps({ cluster, onClose }: Omit<StartOperationDialogProps, 'isOpen'>) {
  const navigate = useNavigate();
  const [values, setValues] = useState<StartFormValues>(EMPTY_FORM);
  const [preview, setPreview] = useState<Preview>();
  const [invalid, setInvalid] = useState<Error>();
  const { errors } = toPolicyInput(values.policy);

  const previewing = useAction(async ({ kind, version, policy }: StartFormValues) => {
    const request: StartRequest = {
      kind,
      cluster,
      version: version.trim(),
      policy: toPolicyInput(policy).input,
    };
    const plan = await previewOperation(api, request);
    const members = plan.blocked_by.length === 0 ? 0 : (await api.getCluster({ name: cluster })).body.hosts.total;
    setPreview({ request, plan, members, key: crypto.randomUUID() });
  });
  const starting = useAction(async (started: Preview) => {
    const id = await startOperation(api, started.request, started.key);
    showToast(`${capitalized(started.request.kind)} of ${cluster} started`);
    onClose();
    await navigate({ to: '/operations/$id', params: { id } });
  });

  const serverErrors = mapFieldErrors(previewing.error, formField, '/policy');
  const isInvalid = invalid !== undefined && Object.keys(errors).length > 0;
  const { version: versionError, ...policyErrors } = serverErrors.byField;
  if (preview !== undefined)
    return (
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
    );
  return (
    <OptionsStep
      values={values}
      onChange={setValues}
      errors={{ ...policyErrors, ...(isInvalid && errors) }}
      versionError={versionError}
      lastError={invalid ?? previewing.error}
      summary={isInvalid ? invalid : serverErrors.summary}
      formError={isInvalid ? undefined : serverErrors.formError}
      isLoading={previewing.isLoading}
      onClose={onClose}
      onPreview={() => {
        const formError = invalidForm(errors);
        setInvalid(formError);
        if (formError === undefined) previewing.run(values);
      }}
    />
  );
}

export const StartOperationDialog = ({ cluster, isOpen, onClose }: StartOperationDialogProps) => (
  <Dialog title={`Start operation on ${cluster}`} isOpen={isOpen} onClose={onClose} size="wide">
    <Steps cluster={cluster} onClose={onClose} />
  </Dialog>
);
