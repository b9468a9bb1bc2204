import { Link } from '@tanstack/react-router';
import { CreateCluster } from '../../clusters/create-cluster.tsx';
import { useMay } from '../../session/session.tsx';
import { Panel } from '../../ui/page.tsx';
import styles from './overview.module.css';

/** What to do first, where there is nothing yet. */
export function FirstSteps() {
  const { may, whyNot } = useMay();
  return (
    <Panel title="Nothing is here yet">
      <ol className={styles.steps}>
        <li>
          <h3>Make a cluster</h3>
          <p>Hosts that are restarted, upgraded and deployed to together, a few at a time.</p>
          <div className={styles.do}>
            <CreateCluster whyNot={may('putCluster') ? undefined : whyNot('putCluster')} />
            <span>or</span>
            <code>hostler cluster create web</code>
          </div>
        </li>
        <li>
          <h3>Add hosts</h3>
          <p>
            Each by its address and a private key, many at once from a list, or by themselves with an
            enrolment token.
          </p>
          <div className={styles.do}>
            <Link to="/hosts">Add hosts</Link>
            {may('listTokens') && <Link to="/tokens">Make an enrolment token</Link>}
            <span>or</span>
            <code>hostler host add ADDRESS --cluster web --key ~/.ssh/id_ed25519</code>
          </div>
        </li>
        <li>
          <h3>Restart, upgrade or deploy</h3>
          <p>Look at the plan before anything begins, then watch it host by host.</p>
          <div className={styles.do}>
            <code>hostler upgrade web --dry-run</code>
            <a href="/docs">The interface, for programs</a>
          </div>
        </li>
      </ol>
    </Panel>
  );
}
