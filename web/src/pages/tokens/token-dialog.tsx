import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { useAsk } from '../../ui/use-ask.ts';
import { TokenSecret } from './token-secret.tsx';
import { NO_WISH, tokenWish, UNIT_S } from './token-wish.ts';
import styles from './tokens.module.css';

const UNITS = ['minutes', 'hours', 'days'] as const satisfies readonly (keyof typeof UNIT_S)[];
const NAMES = ['name', 'cluster', 'uses', 'expires_in_s', 'cidr'];

/** Makes a token, then shows its secret: this once, and never again. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState(NO_WISH);
  const [made, setMade] = useState<{ readonly secret: string | undefined }>();
  const { data: clusters = [] } = useQuery({
    queryKey: keys.clusterNames,
    queryFn: () => answerOf(api.listClusters()),
  });
  const { run, isBusy, problem } = useAsk(async () =>
    setMade({ secret: (await answerOf(api.putToken({ name, body: tokenWish(typed) }))).secret }),
  );
  const errors = fieldErrors(problem, NAMES);
  const field = (part: 'cluster' | 'uses' | 'lasts' | 'cidr') => ({
    value: typed[part],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setTyped({ ...typed, [part]: target.value }),
  });

  if (made) return <TokenSecret name={name} secret={made.secret} onClose={onClose} />;
  return (
    <Dialog title="Make an enrolment token" isOpen onClose={onClose}>
      <Form onSubmit={run} isBusy={isBusy} problem={problem}>
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={errors.of['name']}
          required
          autoFocus
        />
        <SelectField label="Cluster that hosts join" {...field('cluster')} error={errors.of['cluster']}>
          <option value="">none</option>
          {clusters.map(cluster => (
            <option key={cluster}>{cluster}</option>
          ))}
        </SelectField>
        <TextField
          label="How many hosts"
          type="number"
          min={1}
          placeholder="1"
          {...field('uses')}
          error={errors.of['uses']}
        />
        <div className={styles.lasts}>
          <TextField
            label="For how long"
            type="number"
            min={0}
            step="any"
            placeholder={String(UNIT_S.days / UNIT_S[typed.lastsUnit])}
            {...field('lasts')}
            error={errors.of['expires_in_s']}
          />
          <SelectField
            label="Unit"
            value={typed.lastsUnit}
            onChange={({ target }) =>
              setTyped({ ...typed, lastsUnit: UNITS.find(unit => unit === target.value) ?? 'hours' })
            }
          >
            {UNITS.map(unit => (
              <option key={unit}>{unit}</option>
            ))}
          </SelectField>
        </div>
        <TextField
          label="Network that hosts call from"
          placeholder="any"
          {...field('cidr')}
          hint={
            <>
              Such as <code>10.0.0.0/8</code>. Few uses, a short life and a network make a stolen secret worth
              little.
            </>
          }
          error={errors.of['cidr']}
        />
        <ProblemBox problem={errors.rest} />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Make the token
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
