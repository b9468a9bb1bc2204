import { Link } from '@tanstack/react-router';
import { useMay } from '../../session/session.tsx';
import { Empty } from '../../ui/page.tsx';
import table from './hosts-table.module.css';
import styles from './no-hosts.module.css';

/** Where there is no host yet: how the first comes in. */
export function NoHosts() {
  const { may } = useMay();
  return (
    <div className={table.panel}>
      <Empty title="No hosts yet">
        {may('putHost') ? (
          <p>
            Click <strong>Enrol hosts</strong> and enter an address and a private key for root or for a user
            with passwordless sudo. Or run:
          </p>
        ) : (
          <p>Ask an operator or an admin to enrol hosts here, or with:</p>
        )}
        <pre className={styles.commands}>hostler host add 192.0.2.7 --key ~/.ssh/fleet</pre>
        <p>
          Hosts can also enrol themselves at first boot with{' '}
          {may('listTokens') ? (
            <>
              an <Link to="/tokens">enrolment token</Link>.
            </>
          ) : (
            'an enrolment token that an admin creates.'
          )}
        </p>
      </Empty>
    </div>
  );
}
