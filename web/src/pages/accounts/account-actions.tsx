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
    await api.removeSessions({ name });
    notice(`All sessions of ${name} ended`);
  };
  const remove = async () => {
    await api.removeAccount({ name });
    notice(`Account ${name} removed`);
  };

  return (
    <div className={styles.actions}>
      <Button size="small" aria-label={`Edit account ${name}`} onClick={() => setAsked('change')}>
        Edit
      </Button>
      <Button size="small" aria-label={`End sessions of ${name}`} onClick={() => setAsked('end')}>
        End sessions
      </Button>
      <Button
        size="small"
        kind="danger"
        aria-label={`Remove account ${name}`}
        onClick={() => setAsked('remove')}
      >
        Remove
      </Button>
      {asked === 'change' && <AccountDialog account={account} onClose={close} />}
      <Confirm
        title={`End all sessions of ${name}?`}
        isOpen={asked === 'end'}
        onClose={close}
        verb="End sessions"
        isDangerous
        ask={endAll}
      >
        <p>{name} has to sign in again in every browser. The password does not change.</p>
      </Confirm>
      <Confirm
        title={`Remove account ${name}?`}
        isOpen={asked === 'remove'}
        onClose={close}
        verb={`Remove ${name}`}
        isDangerous
        ask={remove}
      >
        <p>The account can no longer sign in, and its sessions end. Its audit log entries are kept.</p>
      </Confirm>
    </div>
  );
}
