import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { toTokenInput } from '../../enrolment/enrolment-input.ts';
import { TOKEN_FIELDS, TokenFields } from '../../enrolment/token-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { enrolmentScript } from './enrolment-script.ts';

interface TokenSecretProps {
  readonly name: string;
  /** Only the response that created the token contains it. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** The dialog ignores Escape and has no close button, so the secret is not lost by accident. */
function TokenSecret({ name, secret, onClose }: TokenSecretProps) {
  const { data: identity } = useApiQuery(queryKeys.identity, () => api.getIdentity());
  if (secret === undefined)
    return (
      <Dialog title={`Enrolment token ${name} already exists`} onClose={onClose}>
        <p>
          The token already has these settings, so nothing was changed. The secret cannot be shown again. If you lost
          it, remove the token and create a new one.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title={`Secret of enrolment token ${name}`} size="wide">
      <p>Copy the secret now. It is not shown again.</p>
      <CopyableText label="secret" text={secret} />
      {identity && (
        <Disclosure summary="Script for hosts to run as root at the end of boot" startsOpen>
          <CopyableText
            label="script"
            text={enrolmentScript(globalThis.location.origin, secret, identity.public_key)}
          />
          <p className="muted">
            Replace the URL if hosts reach the server at another address. With cloud-init, generate user data on a
            cluster’s page instead: it contains its own token.
          </p>
        </Disclosure>
      )}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<{ readonly name: string; readonly secret: string | undefined }>();
  const create = async (form: FormData) => {
    const [name, cluster] = [String(form.get('name')), String(form.get('cluster'))];
    const { body } = await api.putToken({ name, body: { ...(cluster !== '' && { cluster }), ...toTokenInput(form) } });
    setCreated({ name, secret: body.secret });
  };

  if (created) return <TokenSecret {...created} onClose={onClose} />;
  return (
    <FormDialog
      title="Create enrolment token"
      submitLabel="Create token"
      onSubmit={create}
      // The next step shows the secret.
      onDone={() => undefined}
      onClose={onClose}
      fields={['name', 'cluster', ...TOKEN_FIELDS]}
    >
      <TextField label="Name" name="name" required autoFocus />
      <ClusterSelect label="Cluster" name="cluster" hint="Cluster that the hosts join." emptyLabel="None" />
      <TokenFields />
    </FormDialog>
  );
}
