import { useState } from 'react';
import { api } from '../../api/client.ts';
import { TOKEN_FIELDS, TokenFields } from '../../fleet/token-fields.tsx';
import { NO_WISH } from '../../fleet/token-wish.ts';
import { TextArea, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import type { TypedScript } from './user-data-wish.ts';
import { NO_SCRIPT, userDataWish } from './user-data-wish.ts';
import { UserScript } from './user-script.tsx';

interface UserDataDialogProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function OpenDialog({ name, onClose }: Omit<UserDataDialogProps, 'isOpen'>) {
  const [token, setToken] = useState(NO_WISH);
  const [script, setScript] = useState<TypedScript>(NO_SCRIPT);
  const [made, setMade] = useState<{ readonly script: string; readonly token: string }>();
  const make = async () => {
    const { body, headers } = await api.createUserData({ name, body: userDataWish(token, script) });
    setMade({ script: body, token: headers.get('hostler-token-name') ?? '' });
  };
  const bound = (field: keyof TypedScript, errors: Readonly<Record<string, string>>) => ({
    value: script[field],
    error: errors[field],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setScript({ ...script, [field]: target.value }),
  });
  if (made) return <UserScript {...made} cluster={name} onClose={onClose} />;
  return (
    <FormDialog
      title={`Generate user data for ${name}`}
      verb="Generate user data"
      ask={make}
      // The script follows.
      onDone={() => undefined}
      onClose={onClose}
      fields={[...TOKEN_FIELDS, 'url', 'remote_user', 'ca']}
    >
      {errors => (
        <>
          <p>
            Creates a cloud-init script that enrols hosts into {name}. Each script contains a new enrolment
            token.
          </p>
          <TokenFields typed={token} onChange={setToken} errors={errors} />
          <TextField
            label="Server URL"
            placeholder="Default: the setting public_url"
            type="url"
            {...bound('url', errors)}
          />
          <TextField label="SSH user" placeholder="root" {...bound('remote_user', errors)} />
          <TextArea
            label="CA certificates"
            hint="In PEM format. Leave empty if hosts already trust the certificate of the server."
            rows={3}
            {...bound('ca', errors)}
          />
        </>
      )}
    </FormDialog>
  );
}

export const UserDataDialog = ({ isOpen, ...open }: UserDataDialogProps) =>
  isOpen && <OpenDialog {...open} />;
