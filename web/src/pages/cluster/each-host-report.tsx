import { problemWords } from '../../ui/problem-words.ts';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import styles from './cluster.module.css';
import type { EachHost } from './each-host.ts';

/** How far it is, and what was refused for which host. */
export const EachHostReport = ({ of, verb }: { readonly of: EachHost; readonly verb: string }) => (
  <div className={styles.report} role="status">
    <ProportionBar
      label="Hosts"
      total={of.total}
      parts={[
        { name: verb, count: of.done, tone: 'good' },
        { name: 'refused', count: of.refused.length, tone: 'bad' },
      ]}
    />
    <p>
      {of.done} of {of.total} {verb}
      {of.refused.length > 0 && `, ${of.refused.length} refused`}
    </p>
    {of.refused.length > 0 && (
      <ul className={styles.refused}>
        {of.refused.map(({ address, problem }) => (
          <li key={address}>
            <span className="mono">{address}</span>: {problemWords(problem).text}
          </li>
        ))}
      </ul>
    )}
  </div>
);
