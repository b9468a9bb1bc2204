import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { TOKEN_FIELDS, TokenFields } from '../../fleet/token-fields.tsx';
import { NO_WISH, tokenWish } from '../../fleet/token-wish.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { TokenSecret } from './token-secret.tsx';

/** Makes a token, then shows its secret: this once, and never again. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [cluster, setCluster] = useState('');
  const [typed, setTyped] = useState(NO_WISH);
  const [made, setMade] = useState<{ readonly secret: string | undefined }>();
  const make = async () => {
    const body = { ...(cluster !== '' && { cluster }), ...tokenWish(typed) };
    const { secret } = await answerOf(api.putToken({ name, body }));
    setMade({ secret });
  };

  if (made) return <TokenSecret name={name} secret={made.secret} onClose={onClose} />;
  return (
    <FormDialog
      title="Create enrolment token"
      verb="Create token"
      ask={make}
      // The secret follows.
      onDone={() => undefined}
      onClose={onClose}
      fields={['name', 'cluster', ...TOKEN_FIELDS]}
    >
      {errors => (
        <>
          <TextField
            label="Name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            error={errors['name']}
            required
            autoFocus
          />
          <ClusterSelect
            label="Cluster"
            hint="Cluster that the hosts join."
            none="None"
            value={cluster}
            onChange={({ target }) => setCluster(target.value)}
            error={errors['cluster']}
          />
          <TokenFields typed={typed} onChange={setTyped} errors={errors} />
        </>
      )}
    </FormDialog>
  );
}
