// Lists networks or container managers, and shows the selected record. The list never contains secrets. Reading one
// record reads its secrets and is audited, so a record is fetched only when a user opens it.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { usePermissions } from '../../auth/session.tsx';
import { useOverview } from '../../clusters/queries.ts';
import { DialogButton } from '../../ui/forms/form-dialog.tsx';
import { ClusterLink } from '../../ui/links.tsx';
import { EmptyState, Page, Panel, QueryView, TwoColumns } from '../../ui/page.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { clustersByRecord } from './clusters-by-record.ts';
import styles from './driver-records.module.css';
import type { RecordWithEtag } from './queries.ts';
import { RecordDialog } from './record-dialog.tsx';
import type { RecordKind } from './record-kinds.ts';
import { CONTAINER_MANAGER, NETWORK } from './record-kinds.ts';
import { RecordPanel } from './record-panel.tsx';

const ClusterLinks = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0
    ? 'Not used'
    : names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <ClusterLink name={name} />
        </span>
      ));

function DriverRecordsPage({ kind }: { readonly kind: RecordKind }) {
  const { deniedReason } = usePermissions();
  const navigate = useNavigate();
  const { name: open } = useSearch({ from: kind.to });
  const records = useApiQuery(queryKeys.extendedList(kind.queryKeys.all), () =>
    kind.list({ query: { extended: true } }),
  );
  const { data: overview } = useOverview();
  const usage = clustersByRecord(kind.key, overview?.clusters ?? []);
  const openRecord = (name: string | undefined) =>
    navigate({ to: kind.to, search: name === undefined ? {} : { name } });
  const createButton = (
    <DialogButton
      variant="primary"
      disabledReason={deniedReason(kind.routes.put)}
      dialog={close => <RecordDialog kind={kind} onClose={close} onDone={openRecord} />}
    >
      Create {kind.label}
    </DialogButton>
  );

  const columns: readonly Column<Pick<RecordWithEtag, 'name' | 'type'>>[] = [
    {
      title: 'Name',
      isName: true,
      cell: ({ name }) => (
        <Link
          to={kind.to}
          search={{ name }}
          className={name === open ? styles.open : undefined}
          aria-current={name === open ? 'true' : undefined}
        >
          {name}
        </Link>
      ),
    },
    { title: 'Type', cell: ({ type }) => <code>{type}</code> },
    { title: 'Used by', cell: ({ name }) => overview && <ClusterLinks names={usage.get(name) ?? []} /> },
  ];

  return (
    <Page title={kind.title} actions={createButton}>
      <TwoColumns>
        <Panel title={`All ${kind.label}s`} isFlush>
          <QueryView query={records} label={`${kind.label}s`}>
            {list =>
              list.length === 0 ? (
                <EmptyState title={`No ${kind.label}s yet`} />
              ) : (
                <Table label={kind.title} rows={list} rowKey={({ name }) => name} columns={columns} />
              )
            }
          </QueryView>
        </Panel>
        {open === undefined ? (
          <Panel title={`About ${kind.label}s`}>
            <p>{kind.description}</p>
          </Panel>
        ) : (
          <RecordPanel key={open} kind={kind} name={open} onRemoved={() => openRecord(undefined)} />
        )}
      </TwoColumns>
    </Page>
  );
}

export const NetworksPage = () => <DriverRecordsPage kind={NETWORK} />;

export const ContainerManagersPage = () => <DriverRecordsPage kind={CONTAINER_MANAGER} />;
