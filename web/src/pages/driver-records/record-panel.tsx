import { useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { notice } from '../../ui/notices.tsx';
import { Facts, Loading, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import type { OptionField } from '../../ui/schema-form/option-fields.ts';
import { optionFields } from '../../ui/schema-form/option-fields.ts';
import { CheckReport } from './check-report.tsx';
import type { Kind } from './kinds.ts';
import { RecordDialog } from './record-dialog.tsx';
import { useDrivers, useRecord } from './use-record.ts';

const SECRET = '•••••••• (a secret)';

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function shownValue(fields: readonly OptionField[], option: string, value: unknown) {
  const isSecret = fields.some(({ name, kind }) => name === option && kind === 'secret');
  return isSecret ? SECRET : <code>{textOf(value)}</code>;
}

interface RecordPanelProps {
  readonly kind: Kind;
  readonly name: string;
  readonly onGone: () => void;
}

/** One record: what it is set up with, whether it answers, and what can be done with it. */
export function RecordPanel({ kind, name, onGone }: RecordPanelProps) {
  const { may } = useMay();
  const { data: record, error } = useRecord(kind, name);
  const driver = useDrivers(kind)?.find(({ type }) => type === record?.type);
  const [asked, setAsked] = useState<'edit' | 'remove'>();
  const fields = driver ? optionFields(driver.options) : [];
  const close = () => setAsked(undefined);

  const remove = async () => {
    await kind.remove({ name, headers: { 'if-match': record?.etag ?? '*' } });
    notice(`The ${kind.word} ${name} is removed.`);
    onGone();
  };

  const actions = record && (
    <>
      {may(kind.names.put) && driver && <Button onClick={() => setAsked('edit')}>Edit</Button>}
      {may(kind.names.remove) && (
        <Button kind="danger" onClick={() => setAsked('remove')}>
          Remove
        </Button>
      )}
    </>
  );

  return (
    <Panel title={name} actions={actions}>
      <ProblemBox problem={error} />
      {record === undefined && error === null && <Loading what={`the ${kind.word} ${name}`} />}
      {record && driver && (
        <Facts
          of={[
            [
              'Type',
              <>
                <code>{record.type}</code> · {driver.summary}
              </>,
            ],
            ...Object.entries(record.options).map(
              ([option, value]) => [option, shownValue(fields, option, value)] as const,
            ),
          ]}
        />
      )}
      {record && may(kind.names.check) && <CheckReport key={record.etag} kind={kind} name={name} />}
      {asked === 'edit' && record && <RecordDialog kind={kind} record={record} onClose={close} />}
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
    </Panel>
  );
}
