import { useEffect, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { TOKEN_FIELDS, TokenFields } from '../../enrolment/token-fields.tsx';
import buttonStyles from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { CopyableText } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { toUserDataInput } from './user-data-input.ts';

interface UserDataScriptProps {
  readonly script: string;
  readonly token: string;
  readonly cluster: string;
  readonly onClose: () => void;
}

/**
 * Shows the script once: the token cannot be read again. The dialog has no close button and ignores Escape, so it is
 * not closed by accident.
 */
function UserDataScript({ script, token, cluster, onClose }: UserDataScriptProps) {
  const url = useMemo(() => URL.createObjectURL(new Blob([script], { type: 'text/x-shellscript' })), [script]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <Dialog title={`User data for ${cluster}`} size="wide">
      <Callout severity="warn">
        <p>
          This script contains the enrolment token <code>{token}</code>. Anyone who can read it can enrol hosts until
          the token expires. The script is not shown again.
        </p>
      </Callout>
      <CopyableText label="user data" text={script} />
      <DialogActions>
        <a className={buttonStyles.button} href={url} download={`user-data-${cluster}.sh`}>
          Download
        </a>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function UserDataDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [created, setCreated] = useState<{ readonly script: string; readonly token: string }>();
  const create = async (form: FormData) => {
    const { body, headers } = await api.createUserData({ name, body: toUserDataInput(form) });
    setCreated({ script: body, token: headers.get('hostler-token-name') ?? '' });
  };
  if (created) return <UserDataScript {...created} cluster={name} onClose={onClose} />;
  return (
    <FormDialog
      title={`Generate user data for ${name}`}
      submitLabel="Generate user data"
      onSubmit={create}
      // The next step shows the script.
      onDone={() => undefined}
      onClose={onClose}
      fields={[...TOKEN_FIELDS, 'url', 'remote_user', 'ca']}
    >
      <p>Creates a cloud-init script that enrols hosts into {name}. Each script contains a new enrolment token.</p>
      <TokenFields />
      <TextField label="Server URL" name="url" placeholder="Default: the setting public_url" type="url" />
      <TextField label="SSH user" name="remote_user" placeholder="root" />
      <TextArea
        label="CA certificates"
        name="ca"
        hint="In PEM format. Leave empty if hosts already trust the certificate of the server."
        rows={3}
      />
    </FormDialog>
  );
}
