import { useState } from 'react';
import { shownCommand } from '#client/command-words.ts';
import { deedsOf } from '#client/operation-words.ts';
import { Button } from '../../ui/button.tsx';
import { Preformatted } from '../../ui/preformatted.tsx';
import { Badge, Status } from '../../ui/status.tsx';
import { numberText } from '../../ui/words/counted.ts';
import { statusLabel } from '../../ui/words/status-words.ts';
import type { Plan } from './put-operation.ts';
import styles from './start-operation.module.css';

type Host = Plan['hosts'][number];

/** So many are shown at first, and with each press. */
const A_FEW = 100;

const Commands = ({ commands }: Pick<Host, 'commands'>) => (
  <ol className={styles.commands}>
    {commands.map(({ step, phase, argv, detail }) => (
      <li key={`${phase} ${step}`}>
        <span className={styles.phase}>{statusLabel(phase)}</span>
        <div>
          {argv !== null && <Preformatted text={shownCommand(argv)} />}
          {detail !== '' && <p className={styles.detail}>{detail}</p>}
        </div>
      </li>
    ))}
  </ol>
);

function PlanHost({ host, order }: { readonly host: Host; readonly order: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const { address, state, control_plane, commands, problem } = host;
  return (
    <details onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.host}>
        <span className={styles.order}>{order}</span>
        <span className="mono">{address}</span>
        <Status of={state.status} />
        <span>{state.os}</span>
        <span className={styles.deeds}>
          {control_plane && <Badge tone="idle">Control plane</Badge>}{' '}
          {problem === undefined ? deedsOf(commands) : `✕ ${problem}`}
        </span>
      </summary>
      {isOpen &&
        (commands.length > 0 ? (
          <Commands commands={commands} />
        ) : (
          <p className={styles.detail}>{problem ?? 'No commands.'}</p>
        ))}
    </details>
  );
}

/** Hosts in the order in which they would go, each with what would be run there. */
export function PlanHosts({ hosts }: Pick<Plan, 'hosts'>) {
  const [most, setMost] = useState(A_FEW);
  const more = hosts.length - most;
  if (hosts.length === 0) return <p>No hosts match the policy. The operation would finish immediately.</p>;
  return (
    <section className={styles.hosts} aria-label="Hosts in rollout order">
      {hosts.slice(0, most).map((host, index) => (
        <PlanHost key={host.address} host={host} order={index + 1} />
      ))}
      {more > 0 && (
        <Button size="small" onClick={() => setMost(most + A_FEW)}>
          Show {Math.min(A_FEW, more)} more of {numberText(hosts.length)}
        </Button>
      )}
    </section>
  );
}
