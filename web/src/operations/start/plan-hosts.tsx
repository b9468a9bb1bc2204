import { useState } from 'react';
import { formatCommand } from '#sdk/format.ts';
import { displayName } from '#sdk/host-progress.ts';
import { summarizeActions } from '#sdk/operation-text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { formatNumber, statusLabel } from '../../ui/format/text.ts';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import styles from './start-operation.module.css';
import type { Plan } from './start-request.ts';

type Host = Plan['hosts'][number];

const PAGE_SIZE = 100;

const Commands = ({ commands }: Pick<Host, 'commands'>) => (
  <ol className={styles.commands}>
    {commands.map(({ step, phase, argv, detail }) => (
      <li key={`${phase} ${step}`}>
        <span className={styles.phase}>{statusLabel(phase)}</span>
        <div>
          {argv !== null && <CodeBlock text={formatCommand(argv)} />}
          {detail !== '' && <p className={styles.detail}>{detail}</p>}
        </div>
      </li>
    ))}
  </ol>
);

function PlanHost({ host, order }: { readonly host: Host; readonly order: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const { address, hostname, state, control_plane, commands, problem } = host;
  return (
    <details onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.host}>
        <span className={styles.order}>{order}</span>
        <span title={address}>{displayName({ address, hostname })}</span>
        <StatusBadge status={state.status} />
        <span>{state.os}</span>
        <span className={styles.actions}>
          {control_plane && <Badge severity="idle">Control plane</Badge>}{' '}
          {problem === undefined ? summarizeActions(commands) : `✕ ${problem}`}
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

export function PlanHosts({ hosts }: Pick<Plan, 'hosts'>) {
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const hiddenCount = hosts.length - visibleCount;
  if (hosts.length === 0) return <p>No hosts match the policy. The operation would finish immediately.</p>;
  return (
    <section className={styles.hosts} aria-label="Hosts in rollout order">
      {hosts.slice(0, visibleCount).map((host, index) => (
        <PlanHost key={host.address} host={host} order={index + 1} />
      ))}
      {hiddenCount > 0 && (
        <Button size="small" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, hiddenCount)} more of {formatNumber(hosts.length)}
        </Button>
      )}
    </section>
  );
}
