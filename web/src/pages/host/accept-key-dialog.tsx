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
    title={`Accept another key of ${address}`}
    isOpen={isOpen}
    onClose={onClose}
    verb="They are the same: accept it"
    isDangerous
    ask={() => api.acceptHostKey({ address, body: { fingerprint: offered.fingerprint } })}
  >
    <p>It shows this key instead of the one that it is known by:</p>
    <Facts
      of={[
        ['Type', offered.type],
        ['Fingerprint', <code key="fingerprint">{offered.fingerprint}</code>],
      ]}
    />
    <p>At the host itself, by its console and not by way of the network, this must say the same:</p>
    <pre className={styles.command}>ssh-keygen -lf {keyFileOf(offered.type)}</pre>
    <p>
      If it does not, somebody is in between. From then on the host may show this key and no other, and it is
      investigated and bootstrapped again.
    </p>
  </Confirm>
);
