import { useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { notice } from '../../ui/notices.tsx';
import type { Kind } from './kinds.ts';
import { RecordDialog } from './record-dialog.tsx';
import type { ReadRecord } from './use-record.ts';

interface RecordActionsProps {
  readonly kind: Kind;
  readonly record: ReadRecord;
  /** Whether the service knows what it can be set up with. */
  readonly isKnown: boolean;
  readonly onGone: () => void;
}

/** What can be done with a record. */
export function RecordActions({ kind, record, isKnown, onGone }: RecordActionsProps) {
  const { may } = useMay();
  const [asked, setAsked] = useState<'edit' | 'remove'>();
  const close = () => setAsked(undefined);
  const { name, etag } = record;

  const remove = async () => {
    await kind.remove({ name, headers: { 'if-match': etag } });
    notice(`The ${kind.word} ${name} is removed.`);
    onGone();
  };

  return (
    <>
      {may(kind.names.put) && isKnown && <Button onClick={() => setAsked('edit')}>Edit</Button>}
      {may(kind.names.remove) && (
        <Button kind="danger" onClick={() => setAsked('remove')}>
          Remove
        </Button>
      )}
      {asked === 'edit' && <RecordDialog kind={kind} record={record} onClose={close} />}
      <Confirm
        title={`Remove the ${kind.word} ${name}?`}
        isOpen={asked === 'remove'}
        onClose={close}
        verb={`Remove ${name}`}
        isDangerous
        ask={remove}
      >
        <p>Its settings and secrets are gone then. While a cluster uses it, it stays.</p>
      </Confirm>
    </>
  );
}
