import { isGone } from '../../api/refusals.ts';
import { useMay } from '../../session/session.tsx';
import { Empty, Facts, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import type { OptionField } from '../../ui/schema-form/option-fields.ts';
import { optionFields } from '../../ui/schema-form/option-fields.ts';
import { begun } from '../../ui/words/sentence.ts';
import { CheckReport } from './check-report.tsx';
import type { Kind } from './kinds.ts';
import { RecordActions } from './record-actions.tsx';
import { useDrivers, useRecord } from './use-record.ts';

const SECRET = '•••••••• (secret)';

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
  const query = useRecord(kind, name);
  const record = query.data;
  const driver = useDrivers(kind)?.find(({ type }) => type === record?.type);
  const fields = driver ? optionFields(driver.options) : [];
  if (isGone(query.error))
    return (
      <Panel title={name}>
        <Empty title={`${begun(kind.word)} ${name} not found`}>
          <p>It may have been removed. Select another from the list.</p>
        </Empty>
      </Panel>
    );
  const actions = record && (
    <RecordActions kind={kind} record={record} isKnown={driver !== undefined} onGone={onGone} />
  );
  return (
    <Panel title={name} actions={actions}>
      <Read of={query} what={`${kind.word} ${name}`}>
        {({ type, options, etag }) => (
          <>
            {driver && (
              <Facts
                of={[
                  [
                    'Type',
                    <>
                      <code>{type}</code> · {driver.summary}
                    </>,
                  ],
                  ...Object.entries(options).map(
                    ([option, value]) => [option, shownValue(fields, option, value)] as const,
                  ),
                ]}
              />
            )}
            {may(kind.names.check) && <CheckReport key={etag} kind={kind} name={name} type={type} />}
          </>
        )}
      </Read>
    </Panel>
  );
}
