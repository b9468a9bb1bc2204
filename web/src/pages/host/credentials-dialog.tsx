import { api } from '../../api/client.ts';
import { PrivateKeyField, readPrivateKey } from '../../fleet/private-key-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { notice } from '../../ui/notices.tsx';

interface CredentialsDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

async function replace(address: string, form: FormData): Promise<void> {
  const user = String(form.get('remote_user') ?? '').trim();
  const body = { ssh_priv_key: await readPrivateKey(form), ...(user !== '' && { remote_user: user }) };
  await api.putHostCreds({ address, body });
  notice(`Credentials of ${address} tested and replaced`);
}

export const CredentialsDialog = ({ address, onClose }: CredentialsDialogProps) => (
  <FormDialog
    title={`Replace credentials of ${address}`}
    verb="Test and replace"
    ask={form => replace(address, form)}
    onClose={onClose}
    fields={['ssh_priv_key', 'remote_user']}
  >
    {errors => (
      <>
        <p>Hostler tests the credentials on the host and stores them only if they work.</p>
        <PrivateKeyField error={errors['ssh_priv_key']} />
        <TextField
          label="SSH user"
          name="remote_user"
          hint="Leave empty to keep the current user."
          error={errors['remote_user']}
        />
      </>
    )}
  </FormDialog>
);
