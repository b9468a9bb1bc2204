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
      <Empty title="There are no hosts yet.">
        {may('putHost') ? (
          <p>
            Press <strong>Add hosts</strong>: an address and a private key that lets us in as root, or as
            somebody with sudo, are all it takes. From a terminal it is
          </p>
        ) : (
          <p>Somebody who may add hosts can do that here, or from a terminal:</p>
        )}
        <pre className={styles.commands}>hostler host add 192.0.2.7 --key ~/.ssh/fleet</pre>
        <p>
          Machines can enrol themselves at their first boot, with a token
          {may('listTokens') ? (
            <>
              : see <Link to="/tokens">enrolment tokens</Link>.
            </>
          ) : (
            ' that an admin makes.'
          )}
        </p>
      </Empty>
    </div>
  );
}
