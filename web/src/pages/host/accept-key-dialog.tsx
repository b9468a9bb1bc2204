import { keyFileOf } from '#client/key-file-of.ts';
import { api } from '../../api/client.ts';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { Facts } from '../../ui/page.tsx';
import styles from './host.module.css';
import type { OwnStatus } from './use-host.ts';

interface AcceptKeyDialogProps {
  readonly address: string;
  readonly offered: NonNullable<OwnStatus['pending_host_key']>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A key is never accepted unseen: what to compare it with, and how, comes first. */
export const AcceptKeyDialog = ({ address, offered, isOpen, onClose }: AcceptKeyDialogProps) => (
  <Confirm
    title={`Accept pending host key of ${address}`}
    isOpen={isOpen}
    onClose={onClose}
    verb="Fingerprints match, accept key"
    isDangerous
    ask={() => api.acceptHostKey({ address, body: { fingerprint: offered.fingerprint } })}
  >
    <p>The host presented a different key than the one on record:</p>
    <Facts
      of={[
        ['Type', offered.type],
        ['Fingerprint', <code key="fingerprint">{offered.fingerprint}</code>],
      ]}
    />
    <p>On the console of the host (not over the network), run this command and compare the fingerprint:</p>
    <pre className={styles.command}>ssh-keygen -lf {keyFileOf(offered.type)}</pre>
    <p>
      If the fingerprints differ, do not accept the key: the connection may be intercepted. After you accept
      the key, Hostler trusts only this key and bootstraps the host again.
    </p>
  </Confirm>
);
