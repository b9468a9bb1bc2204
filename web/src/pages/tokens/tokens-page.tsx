import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Static } from 'typebox';
import type { Token } from '#contract/routes/tokens.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Needs } from '../../session/needs.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Page, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { When } from '../../ui/when.tsx';
import { numberText } from '../../ui/words/counted.ts';
import { RemoveToken } from './remove-token.tsx';
import { TokenDialog } from './token-dialog.tsx';

const TITLE = 'Enrolment tokens';

const Nothing = () => (
  <Empty title="No enrolment tokens yet">
    <p>
      Hosts use an enrolment token to enrol themselves without sending a private key. Limit each token by
      number of hosts, lifetime and source network.
    </p>
    <p>
      Using cloud-init? Generate user data on a <Link to="/clusters">cluster</Link>’s page instead.
    </p>
  </Empty>
);

const COLUMNS: readonly Column<Static<typeof Token>>[] = [
  { title: 'Name', isName: true, cell: ({ name }) => name },
  { title: 'State', cell: ({ state }) => <Status of={state} /> },
  {
    title: 'Cluster',
    cell: ({ cluster }) =>
      cluster === '' ? (
        'None'
      ) : (
        <Link to="/clusters/$name" params={{ name: cluster }}>
          {cluster}
        </Link>
      ),
  },
  { title: 'Hosts', align: 'end', cell: ({ used, uses }) => `${numberText(used)} of ${numberText(uses)}` },
  { title: 'Source network', cell: ({ cidr }) => (cidr === '' ? 'Any' : <code>{cidr}</code>) },
  { title: 'Expires', cell: ({ expires_at }) => <When at={expires_at} as="ago" /> },
  { title: 'Created', cell: ({ created_at }) => <When at={created_at} as="ago" /> },
  { title: 'Actions', align: 'end', cell: ({ name }) => <RemoveToken name={name} /> },
];

function Tokens() {
  const [isMaking, setMaking] = useState(false);
  const query = useQuery({ queryKey: keys.tokens, queryFn: () => answerOf(api.listTokens()) });
  const make = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      Create token
    </Button>
  );
  return (
    <Page title={TITLE} actions={make}>
      <Panel title="All enrolment tokens" isFlush>
        <Read of={query} what="enrolment tokens">
          {tokens =>
            tokens.length === 0 ? (
              <Nothing />
            ) : (
              <Table label={TITLE} rows={tokens} keyOf={({ name }) => name} columns={COLUMNS} />
            )
          }
        </Read>
      </Panel>
      {isMaking && <TokenDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** Tokens by which hosts enrol themselves; for admins. */
export const TokensPage = () => (
  <Needs route="listTokens" title={TITLE}>
    <Tokens />
  </Needs>
);
