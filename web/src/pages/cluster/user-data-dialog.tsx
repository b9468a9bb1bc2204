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
    setMade({ script: body, token: headers.get('hostler-token') ?? '' });
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
      title={`User-data for ${name}`}
      verb="Make user-data"
      ask={make}
      // The script follows.
      onDone={() => undefined}
      onClose={onClose}
      fields={[...TOKEN_FIELDS, 'url', 'remote_user', 'ca']}
    >
      {errors => (
        <>
          <p>
            A script for cloud-init, by which hosts enrol themselves into {name}. Each one has a token of its
            own.
          </p>
          <TokenFields typed={token} onChange={setToken} errors={errors} />
          <TextField
            label="Where they find the service"
            placeholder="as it is configured (public_url)"
            type="url"
            {...bound('url', errors)}
          />
          <TextField
            label="User that the service logs in as"
            placeholder="root"
            {...bound('remote_user', errors)}
          />
          <TextArea
            label="Certificates of the service"
            hint="As PEM. Left out: those that systems know."
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
