import { memo, useId, useState } from 'react';
import { EventSentence } from '../../event-words/event-line.tsx';
import { Facts } from '../../ui/page.tsx';
import { Preformatted } from '../../ui/preformatted.tsx';
import { Badge } from '../../ui/status.tsx';
import { When } from '../../ui/when.tsx';
import { labelOf } from '../../ui/words/status-words.ts';
import styles from './audit.module.css';
import type { AuditEntry } from './listed-entries.ts';

export const COLUMNS = ['Time', 'Event', 'Result', 'Actor'] as const;

const Details = ({ entry }: { readonly entry: AuditEntry }) => (
  <div className={styles.details}>
    <Facts
      of={[
        ['Entry', entry.id],
        ['Type', <code key="type">{entry.type}</code>],
        ...(entry.subject === '' ? [] : [['Subject', entry.subject] as const]),
        ...(entry.request_id === ''
          ? []
          : [['Request ID', <code key="request">{entry.request_id}</code>] as const]),
        ['Hash', <code key="hash">{entry.hash}</code>],
      ]}
    />
    <Preformatted text={JSON.stringify(entry.data, undefined, 2)} />
  </div>
);

const Who = ({ entry: { actor, address } }: { readonly entry: AuditEntry }) => (
  <span className={styles.who}>
    {actor === '' ? <span className="soft">System</span> : actor}
    {address !== '' && <span className="soft"> {address}</span>}
  </span>
);

/** An entry, which opens. */
function Entry({ entry }: { readonly entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className={styles.opener}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <When at={entry.at} />
            <span className="heard">: details of entry {entry.id}</span>
          </button>
        </td>
        <td className={styles.what}>
          <EventSentence of={entry} />
        </td>
        <td>
          {entry.result === 'ok' ? (
            <span className="soft">OK</span>
          ) : (
            <Badge tone="warn">{labelOf(entry.result)}</Badge>
          )}
        </td>
        <td>
          <Who entry={entry} />
        </td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={COLUMNS.length}>
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The hash says all that is in an entry, so it is drawn once, however often the list is read. */
export const EntryRow = memo(Entry, (before, now) => before.entry.hash === now.entry.hash);
