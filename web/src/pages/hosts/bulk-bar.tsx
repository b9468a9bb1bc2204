import { useState } from 'react';
import type { Fleet } from '../../fleet/fleet.ts';
import { hostOf } from '../../fleet/fleet.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/words/counted.ts';
import type { BulkKind } from './bulk-actions.ts';
import { BULK_ACTIONS } from './bulk-actions.ts';
import styles from './bulk-bar.module.css';
import { BulkDialog } from './bulk-dialog.tsx';

interface BulkBarProps {
  readonly fleet: Fleet;
  readonly chosen: readonly string[];
  /** What it says while nothing is chosen. */
  readonly text: string;
  readonly onNone: () => void;
}

/** What can be done with the hosts that were chosen. */
export function BulkBar({ fleet, chosen, text, onNone }: BulkBarProps) {
  const { may } = useMay();
  // What is asked is asked for those that were chosen then.
  const [asked, setAsked] = useState<{ readonly kind: BulkKind; readonly addresses: readonly string[] }>();
  const hasChosen = chosen.length > 0;
  return (
    <div className={`${styles.bar} ${hasChosen ? styles.hasChosen : ''}`}>
      <p className={styles.text} role="status">
        {hasChosen ? `${counted(chosen.length, 'host')} selected` : text}
      </p>
      {hasChosen && (
        <>
          {BULK_ACTIONS.filter(({ needs }) => may(needs)).map(({ kind, verb, isDangerous = false }) => (
            <Button
              key={kind}
              size="small"
              kind={isDangerous ? 'danger' : 'plain'}
              onClick={() => setAsked({ kind, addresses: chosen })}
            >
              {verb}
            </Button>
          ))}
          <Button size="small" kind="quiet" onClick={onNone}>
            Clear selection
          </Button>
        </>
      )}
      {asked && (
        <BulkDialog
          {...asked}
          clusterOf={address => hostOf(fleet, address)?.cluster ?? ''}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
