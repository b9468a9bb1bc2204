import { useState } from 'react';
import type { Account } from '../../api/account.ts';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { notice } from '../../ui/notices.tsx';
import { AccountDialog } from './account-dialog.tsx';
import styles from './accounts.module.css';

/** What an admin can do with an account. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { name } = account;
  const [asked, setAsked] = useState<'change' | 'end' | 'remove'>();
  const close = () => setAsked(undefined);

  const endAll = async () => {
    await api.deleteSessions({ name });
    notice(`All sessions of ${name} are over.`);
  };
  const remove = async () => {
    await api.removeAccount({ name });
    notice(`The account ${name} is removed.`);
  };

  return (
    <div className={styles.actions}>
      <Button size="small" aria-label={`Change ${name}`} onClick={() => setAsked('change')}>
        Change
      </Button>
      <Button size="small" aria-label={`End sessions of ${name}`} onClick={() => setAsked('end')}>
        End sessions
      </Button>
      <Button
        size="small"
        kind="danger"
        aria-label={`Remove the account ${name}`}
        onClick={() => setAsked('remove')}
      >
        Remove
      </Button>
      {asked === 'change' && <AccountDialog account={account} onClose={close} />}
      <Confirm
        title={`End all sessions of ${name}?`}
        isOpen={asked === 'end'}
        onClose={close}
        verb="End them"
        isDangerous
        ask={endAll}
      >
        <p>Every browser in which {name} is signed in has to sign in again. The password stays.</p>
      </Confirm>
      <Confirm
        title={`Remove the account ${name}?`}
        isOpen={asked === 'remove'}
        onClose={close}
        verb={`Remove ${name}`}
        isDangerous
        ask={remove}
      >
        <p>
          Nobody can sign in by it any more, and its sessions are over. What it did stays in the audit log.
        </p>
      </Confirm>
    </div>
  );
}
