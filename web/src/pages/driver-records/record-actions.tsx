import { useState } from 'react';
import { useMay, useMe } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { notice } from '../../ui/notices.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { begun } from '../../ui/words/sentence.ts';
import type { Kind } from './kinds.ts';
import { RecordDialog } from './record-dialog.tsx';
import type { ReadRecord } from './use-record.ts';
import { isHiddenUntilConfirmed, readForEdit } from './use-record.ts';

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
  const { role } = useMe();
  const [edited, setEdited] = useState<ReadRecord>();
  const [isRemoving, setRemoving] = useState(false);
  const { name, etag } = record;
  const reading = useAsk(() => readForEdit(kind, name, role), setEdited);
  // The record may have been read before the password was confirmed.
  const edit = () => (isHiddenUntilConfirmed(record, role) ? reading.run() : setEdited(record));

  const remove = async () => {
    await kind.remove({ name, headers: { 'if-match': etag } });
    notice(`${begun(kind.word)} ${name} removed`);
    onGone();
  };

  return (
    <>
      {may(kind.names.put) && isKnown && (
        <Button isBusy={reading.isBusy} onClick={edit}>
          Edit
        </Button>
      )}
      {may(kind.names.remove) && (
        <Button kind="danger" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      )}
      {edited && <RecordDialog kind={kind} record={edited} onClose={() => setEdited(undefined)} />}
      <Dialog title={`Edit ${name}`} isOpen={reading.problem !== undefined} onClose={reading.forget}>
        <ProblemBox problem={reading.problem} />
      </Dialog>
      <Confirm
        title={`Remove ${kind.word} ${name}?`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        verb={`Remove ${name}`}
        isDangerous
        ask={remove}
      >
        <p>
          This removes the settings and secrets of the {kind.word}. It is not possible while a cluster uses
          the {kind.word}.
        </p>
      </Confirm>
    </>
  );
}
