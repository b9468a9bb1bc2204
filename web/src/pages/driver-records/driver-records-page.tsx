// Networks or container managers, and the one that is open. A list has names only: to read a record is to read its secrets, and that goes on
// record; so one is read when somebody opens it.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { useOverview } from '../../clusters/use-overview.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Columns, Empty, Page, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import styles from './driver-records.module.css';
import type { Kind } from './kinds.ts';
import { RecordDialog } from './record-dialog.tsx';
import { RecordPanel } from './record-panel.tsx';
import { usedBy } from './used-by.ts';

const ClusterLinks = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0
    ? 'Not used'
    : names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Link to="/clusters/$name" params={{ name }}>
            {name}
          </Link>
        </span>
      ));

export function DriverRecordsPage({ kind }: { readonly kind: Kind }) {
  const { whyNot } = useMay();
  const navigate = useNavigate();
  const { name: open } = useSearch({ from: kind.to });
  const [isAdding, setAdding] = useState(false);
  const names = useQuery({ queryKey: kind.keys.all, queryFn: () => answerOf(kind.list()) });
  const { data: overview } = useOverview();
  const users = usedBy(kind.key, overview?.clusters ?? []);
  const show = (name: string | undefined) =>
    navigate({ to: kind.to, search: name === undefined ? {} : { name } });
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)} whyNot={whyNot(kind.names.put)}>
      Create {kind.word}
    </Button>
  );

  const columns: readonly Column<string>[] = [
    {
      title: 'Name',
      isName: true,
      cell: name => (
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
    { title: 'Used by', cell: name => overview && <ClusterLinks names={users.get(name) ?? []} /> },
  ];

  return (
    <Page title={kind.title} actions={add}>
      <Columns>
        <Panel title={`All ${kind.word}s`} isFlush>
          <Read of={names} what={`${kind.word}s`}>
            {all =>
              all.length === 0 ? (
                <Empty title={`No ${kind.word}s yet`} />
              ) : (
                <Table label={kind.title} rows={all} keyOf={name => name} columns={columns} />
              )
            }
          </Read>
        </Panel>
        {open === undefined ? (
          <Panel title={`About ${kind.word}s`}>
            <p>{kind.about}</p>
          </Panel>
        ) : (
          <RecordPanel key={open} kind={kind} name={open} onGone={() => show(undefined)} />
        )}
      </Columns>
      {isAdding && <RecordDialog kind={kind} onClose={() => setAdding(false)} onDone={show} />}
    </Page>
  );
}
