import { OutageList } from '../../operations/outage-list.tsx';
import { paceSentences } from '../../policy/pace-sentences.ts';
import { Panel } from '../../ui/page.tsx';
import { counted, numberText } from '../../ui/words/counted.ts';
import styles from './panels.module.css';
import type { OperationWhole } from './use-operation.ts';

interface MeterProps {
  readonly name: string;
  readonly used: number;
  readonly most: number;
  /** As the policy has it: a number, or a part. */
  readonly given: number | string;
  readonly tone: 'busy' | 'warn';
}

function Meter({ name, used, most, given, tone }: MeterProps) {
  const part = used === 0 ? 0 : Math.min(1, used / Math.max(1, most));
  const limit = String(given) === String(most) ? numberText(most) : `${given}: ${counted(most, 'host')}`;
  return (
    <div className={styles.meter}>
      <p>
        <span>{name}</span>
        <span className={styles.amount}>
          <strong>{numberText(used)}</strong> (limit {limit})
        </span>
      </p>
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(most, used)}
        aria-valuenow={used}
        aria-valuetext={`${used} (limit ${limit})`}
        className={styles.track}
      >
        <span className={styles[used > most ? 'bad' : tone]} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  );
}

interface BudgetPanelProps {
  readonly whole: OperationWhole;
  /** How many hosts the operation has in flight. */
  readonly inFlight: number;
}

/** How much of the policy's limits is used, and by which hosts. */
export const BudgetPanel = ({ whole: { budget, policy, unavailable_hosts }, inFlight }: BudgetPanelProps) => (
  <Panel title="Budget">
    <div className={styles.body}>
      <Meter
        name="Unavailable"
        used={budget.unavailable}
        most={budget.max_unavailable}
        given={policy.max_unavailable}
        tone="busy"
      />
      {unavailable_hosts.length > 0 && (
        <div className={styles.outages}>
          <p>
            {counted(inFlight, 'host')} in flight, {counted(unavailable_hosts.length, 'other host')}{' '}
            unavailable:
          </p>
          <OutageList hosts={unavailable_hosts} />
        </div>
      )}
      <Meter
        name="Failed"
        used={budget.failed}
        most={budget.max_failures}
        given={policy.max_failures}
        tone="warn"
      />
      <ul className="soft">
        {paceSentences(policy).map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  </Panel>
);
