import { useState } from 'react';
import { isNotFound } from '../../api/client.ts';
import { useAccount, usePermissions } from '../../auth/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { capitalize } from '../../ui/format/text.ts';
import { useAction } from '../../ui/forms/form.tsx';
import { ConfirmButton } from '../../ui/forms/form-dialog.tsx';
import type { OptionField } from '../../ui/forms/option-fields.ts';
import { optionFields } from '../../ui/forms/option-fields.ts';
import { DescriptionList, EmptyState, Panel, QueryView } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ConnectionCheck } from './connection-check.tsx';
import type { RecordWithEtag } from './queries.ts';
import { fetchForEdit, isHiddenUntilConfirmed, useDrivers, useRecord } from './queries.ts';
import { RecordDialog } from './record-dialog.tsx';
import type { RecordKind } from './record-kinds.ts';

interface RecordActionsProps {
  readonly kind: RecordKind;
  readonly record: RecordWithEtag;
  /** False if the server does not know the driver of the record. */
  readonly isEditable: boolean;
  readonly onRemoved: () => void;
}

function RecordActions({ kind, record, isEditable, onRemoved }: RecordActionsProps) {
  const { can } = usePermissions();
  const { role } = useAccount();
  const [edited, setEdited] = useState<RecordWithEtag>();
  const { name, etag } = record;
  const loading = useAction(() => fetchForEdit(kind, name, role), setEdited);
  // The record can have been fetched before the password was confirmed.
  const edit = () => (isHiddenUntilConfirmed(record, role) ? loading.run() : setEdited(record));

  const remove = async () => {
    await kind.remove({ name, headers: { 'if-match': etag } });
    showToast(`${capitalize(kind.label)} ${name} removed`);
    onRemoved();
  };

  return (
    <>
      {can(kind.routes.put) && isEditable && (
        <Button isLoading={loading.isLoading} onClick={edit}>
          Edit
        </Button>
      )}
      {can(kind.routes.remove) && (
        <ConfirmButton
          button={{ variant: 'danger', children: 'Remove' }}
          title={`Remove ${kind.label} ${name}?`}
          confirmLabel={`Remove ${name}`}
          isDestructive
          onConfirm={remove}
        >
          <p>
            This removes the settings and secrets of the {kind.label}. It is not possible while a cluster uses the{' '}
            {kind.label}.
          </p>
        </ConfirmButton>
      )}
      {edited && <RecordDialog kind={kind} record={edited} onClose={() => setEdited(undefined)} />}
      {loading.error && (
        <Dialog title={`Edit ${name}`} onClose={loading.reset}>
          <ErrorBox error={loading.error} />
        </Dialog>
      )}
    </>
  );
}

const SECRET_PLACEHOLDER = '•••••••• (secret)';

const formatOption = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(formatOption).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function renderOption(fields: readonly OptionField[], option: string, value: unknown) {
  const isSecret = fields.some(({ name, kind }) => name === option && kind === 'secret');
  return isSecret ? SECRET_PLACEHOLDER : <code>{formatOption(value)}</code>;
}

interface RecordPanelProps {
  readonly kind: RecordKind;
  readonly name: string;
  readonly onRemoved: () => void;
}

export function RecordPanel({ kind, name, onRemoved }: RecordPanelProps) {
  const { can } = usePermissions();
  const query = useRecord(kind, name);
  const record = query.data;
  const driver = useDrivers(kind)?.find(({ type }) => type === record?.type);
  const fields = driver ? optionFields(driver.options) : [];
  if (isNotFound(query.error))
    return (
      <Panel title={name}>
        <EmptyState title={`${capitalize(kind.label)} ${name} not found`}>
          <p>It may have been removed. Select another from the list.</p>
        </EmptyState>
      </Panel>
    );
  const actions = record && (
    <RecordActions kind={kind} record={record} isEditable={driver !== undefined} onRemoved={onRemoved} />
  );
  return (
    <Panel title={name} actions={actions}>
      <QueryView query={query} label={`${kind.label} ${name}`}>
        {({ type, options, etag }) => (
          <>
            {driver && (
              <DescriptionList
                items={[
                  [
                    'Type',
                    <>
                      <code>{type}</code> · {driver.summary}
                    </>,
                  ],
                  ...Object.entries(options).map(
                    ([option, value]) => [option, renderOption(fields, option, value)] as const,
                  ),
                ]}
              />
            )}
            {can(kind.routes.check) && <ConnectionCheck key={etag} kind={kind} name={name} type={type} />}
          </>
        )}
      </QueryView>
    </Panel>
  );
}
