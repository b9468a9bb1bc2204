// Networks or container managers, and the one that is open. A list has names only: to read a record is to read its secrets, and that goes on
// record; so one is read when somebody opens it.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { useOverview } from '../../clusters/use-overview.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Columns, Empty, Loading, Page, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './driver-records.module.css';
import type { Kind } from './kinds.ts';
import { RecordDialog } from './record-dialog.tsx';
import { RecordPanel } from './record-panel.tsx';
import { usedBy } from './used-by.ts';

const ClusterLinks = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0
    ? 'no cluster'
    : names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Link to="/clusters/$name" params={{ name }}>
            {name}
          </Link>
        </span>
      ));

export function DriverRecordsPage({ kind }: { readonly kind: Kind }) {
  const { may, whyNot } = useMay();
  const navigate = useNavigate();
  const { name: open } = useSearch({ from: kind.to });
  const [isAdding, setAdding] = useState(false);
  const { data: names, error } = useQuery({
    queryKey: kind.keys.all,
    queryFn: () => answerOf(kind.list()),
  });
  const { data: overview } = useOverview();
  const users = usedBy(kind.key, overview?.clusters ?? []);
  const show = (name: string | undefined) =>
    navigate({ to: kind.to, search: name === undefined ? {} : { name } });
  const add = (
    <Button
      kind="primary"
      onClick={() => setAdding(true)}
      whyNot={may(kind.names.put) ? undefined : whyNot(kind.names.put)}
    >
      Add a {kind.word}
    </Button>
  );

  return (
    <Page title={kind.title} actions={add}>
      <ProblemBox problem={error} />
      <Columns>
        <Panel title={`All ${kind.word}s`} isFlush>
          {names === undefined && error === null && <Loading what={`${kind.word}s`} />}
          {names?.length === 0 && (
            <Empty title={`There is no ${kind.word} yet.`}>
              <p>{kind.about}</p>
            </Empty>
          )}
          {names !== undefined && names.length > 0 && (
            <Table
              label={kind.title}
              rows={names}
              keyOf={name => name}
              columns={[
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
                {
                  title: 'Used by',
                  cell: name => overview && <ClusterLinks names={users.get(name) ?? []} />,
                },
              ]}
            />
          )}
        </Panel>
        {open === undefined ? (
          <Panel title="What it is for">
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
