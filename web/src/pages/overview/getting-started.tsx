import { Link } from '@tanstack/react-router';
import { usePermissions } from '../../auth/session.tsx';
import { CreateClusterButton } from '../../clusters/create-cluster-dialog.tsx';
import { Panel } from '../../ui/page.tsx';
import styles from './overview.module.css';

export function GettingStarted() {
  const { can } = usePermissions();
  return (
    <Panel title="Get started">
      <ol className={styles.steps}>
        <li>
          <h3>Create a cluster</h3>
          <p>A cluster groups hosts that you restart, upgrade and deploy together.</p>
          <div className={styles.commands}>
            <CreateClusterButton />
            <span>or</span>
            <code>hostler cluster create web</code>
          </div>
        </li>
        <li>
          <h3>Enrol hosts</h3>
          <p>Enter addresses and a private key, or let hosts enrol themselves with an enrolment token.</p>
          <div className={styles.commands}>
            <Link to="/hosts">Enrol hosts</Link>
            {can('listTokens') && <Link to="/tokens">Create enrolment token</Link>}
            <span>or</span>
            <code>hostler host add ADDRESS --cluster web --key ~/.ssh/id_ed25519</code>
          </div>
        </li>
        <li>
          <h3>Restart, upgrade or deploy</h3>
          <p>Review the plan before anything starts, then follow the rollout host by host.</p>
          <div className={styles.commands}>
            <code>hostler upgrade web --dry-run</code>
            <a href="/docs">API reference</a>
          </div>
        </li>
      </ol>
    </Panel>
  );
}
